/* form_every_instruction.h: how an interpreter that is made for no program in particular names the operands of an
 * instruction: all rows of isa.def are in it, and their bodies are taken as they stand there. It includes isa.def with
 * MOG_OP, in which ADDRESS_##access is the address of an access; SPACE, where memory is, is the interpreter's own.
 */
#define SRC REG(OPND)
#define SRC2 PAIR(OPND)
#define PUT SET
#define DST REG(OPND)
#define PUT2 SET_PAIR
#define DST2 OPND
#define NUMBER OPND
#define IMM CONSTANT
#define WAY GO_TO(CONSTANT)
#define ADDRESS address_
/* The address of an access, by the column of isa.def. */
#define ADDRESS_No 0u
#define ADDRESS_InAcc(shift) ACC
#define ADDRESS_InReg(shift) REG(OPND)
#define ADDRESS_InSum(shift) (ACC + REG(OPND))
