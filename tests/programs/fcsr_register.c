/* FCSR from assembly: its views, flush to zero, causes and flags of single instructions. */
#include <stdio.h>
static unsigned get(void){unsigned f;__asm__ volatile("cfc1 %0,$31":"=r"(f));return f;}
static void set(unsigned v){__asm__ volatile("ctc1 %0,$31"::"r"(v));}
#define CT(n,v) __asm__ volatile("ctc1 %0,$" #n::"r"(v))
#define CF(n) ({unsigned f;__asm__ volatile("cfc1 %0,$" #n:"=r"(f));f;})
int main(void)
{
 set(0xffffffff & ~0x3ff80); printf("%08x\n",get()); set(0); printf("%08x fir %08x\n",get(),CF(0));
 CT(25,0x5a);printf("%08x %08x\n",get(),CF(25)); CT(28,0x7);printf("%08x %08x\n",get(),CF(28)); CT(26,0x3c);printf("%08x %08x\n",get(),CF(26));
 CT(25,0xff); CT(28,0xf87); CT(26,0x7c); printf("%08x %08x %08x %08x\n",get(),CF(25),CF(26),CF(28));
 set(0x01000000); volatile float a=1.2e-38f,b=0.25f,r; r=a*b; printf("flush %08x %g\n",get(),r);
 volatile double da=2.3e-308,db=0.25,dr; set(0x01000000); dr=da*db; printf("flush %08x %g\n",get(),dr);
 set(0x01000000); dr=da*-db; printf("flush %08x %g\n",get(),dr);
 set(0x01000002); dr=da*db; printf("flush up %08x %g\n",get(),dr);
 set(0x01000000); dr=2.2250738585072011e-308; r=(float)1e-40; printf("flush %08x %g\n",get(),r);
 set(0x01000000); r=1.17549435e-38f; volatile float q=0.99999999f; r=r*0.9999999f; printf("flush %08x %g\n",get(),r);
 set(0x01000000); *(unsigned*)&r=0x10; r=r*2; printf("flush in %08x %g\n",get(),r);
 set(0x01000000); *(unsigned*)&r=0x10; r=r+1; printf("flush in %08x %g\n",get(),r);
 set(0x01000000); *(unsigned*)&r=0x10; dr=r; printf("flush in %08x %g\n",get(),dr);
 set(3); __asm__ volatile("li $2,5\n mtc1 $2,$f4\n cvt.s.w $f4,$f4\n cvt.d.s $f4,$f4\n":::"$2","$f4"); printf("%08x\n",get());
 set(0); volatile float x=1e30f,y=3e-20f; volatile float z; __asm__ volatile("madd.s %0,%1,%2,%3":"=f"(z):"f"(x),"f"(y),"f"(x)); printf("madd %08x\n",get());
 set(0); x=1.25f; __asm__ volatile("recip.s %0,%1":"=f"(z):"f"(x)); printf("recip %08x\n",get()); __asm__ volatile("rsqrt.s %0,%1":"=f"(z):"f"(x)); printf("rsqrt %08x\n",get());
 set(0); __asm__ volatile("madd.s %0,%1,%2,%3":"=f"(z):"f"(1.0f),"f"(0.1f),"f"(0.1f)); printf("madd %08x\n",get());
 return 0;
}
