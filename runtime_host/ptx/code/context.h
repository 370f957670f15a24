// context.h: what compiled kernels and the engine tell each other. Part of the text of each compiled kernel, and of the engine.
namespace mog::ptx {

/// How a unit of lanes left compiled code.
enum class Left : unsigned {
    done,         ///< its lanes have ended
    barrier,      ///< it waits at one for all of the block: Context::instruction, mask, entry
    counted,      ///< it is at another barrier, whose operands are in its frame: the same; the engine counts who comes there
    interpreter,  ///< the interpreter goes on with it, from where stand() said
};

/// Where a unit stands after all have run for a while.
struct UnitState {
    Left left;
    unsigned instruction, entry, mask;  ///< if it waits at a barrier; bits of the unit's own lanes
};

/// The interpreter's frame of a function that lanes are in.
struct CalledFrame;

/// What one thread of the process that runs blocks gives to compiled code. Masks have a bit for each lane of a warp.
struct Context {
    const unsigned char *parameters;
    const unsigned long long *variables;  ///< of the module: addresses, or offsets of .shared
    unsigned char *shared, *local;        ///< of the block: local memory is that of its first thread
    unsigned long long local_stride;      ///< from thread to thread
    unsigned char *saved;                 ///< what units keep while they wait at barriers
    UnitState *states;                    ///< by unit
    unsigned grid[3], block[3];           ///< %nctaid, %ctaid
    unsigned dynamic_shared_bytes;
    unsigned unit;                      ///< that runs
    unsigned instruction, mask, entry;  ///< of a unit that waits; bits of its own lanes
    unsigned is_over;                   ///< not 0: the launch has ended, in a function of the engine
    void *engine;
    const unsigned long long *functions;  ///< of the module: addresses
    const unsigned char *stack_end;       ///< calls go no deeper than this on the stack of the process
    CalledFrame *left;                    ///< of a function that the interpreter goes on in, for its caller; nullptr: it was not left
    /// The frame of a unit's warp, where the interpreter has its registers.
    unsigned char *(*frame)(Context *, unsigned unit);
    /// A frame for a function that a unit is in, for what the interpreter does in it; what is in it; it is no longer wanted.
    CalledFrame *(*enter)(Context *, unsigned unit, unsigned function, unsigned local_begin, unsigned depth);
    unsigned char *(*bytes_of)(CalledFrame *);
    void (*drop)(Context *, CalledFrame *);
    /// Below, `in` is the frame of the function that the instruction is of; nullptr: it is the kernel's.
    /// Has the interpreter do one instruction for lanes, in their frame; of a barrier, what comes before it.
    void (*run)(Context *, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask);
    /// What comes behind it.
    void (*run_rest)(Context *, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask);
    /// The interpreter is to go on with lanes from an instruction.
    void (*stand)(Context *, unsigned unit, CalledFrame *in, unsigned instruction, unsigned mask);
    /// It goes on with lanes in a function that was called by an instruction.
    void (*link)(Context *, unsigned unit, CalledFrame *callee, CalledFrame *in, unsigned instruction);
};

}  // namespace mog::ptx
