/* ---- C++: @stem@.cpp and libmog ----------------------------------------------------------------------------------------------
 * The interpreter as code of this process, for the device "host", and the image: mog_program_from_parts(&@name@_parts,
 * &program, &error), in C++ mog::Program program(@name@_parts). A copy of it may be given the sources of others, for
 * devices with OpenCL and CUDA. */
extern const mog_parts @name@_parts;

