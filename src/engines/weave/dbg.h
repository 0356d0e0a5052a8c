#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static inline double dbg_now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+t.tv_nsec*1e-9;}
extern double dbg_t; extern double dbg_l;
#define DBG(w,b,what) do { if(getenv("DBG")){double t_=dbg_now(),l_=(double)(w)->looked+(b); fprintf(stderr,"DBG %-22s %8.1f M %7.3f s %6.2f ns/u\n",what,(l_-dbg_l)/1e6,t_-dbg_t,(t_-dbg_t)*1e9/(l_-dbg_l+1)); dbg_t=t_;dbg_l=l_;} } while(0)
