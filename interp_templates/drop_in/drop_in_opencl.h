/* ---- OpenCL: @stem@.cl -------------------------------------------------------------------------------------------------------
 * For clCreateProgramWithSource() of the host; as mog_parts.opencl of libmog, too. Kernels: mog_init, mog_run,
 * mog_transfer, with the parameters that launch_abi.h lists (MOG_ARG_RUN_TEXT is the number of mog_run's TEXT). Options
 * of clBuildProgram():
 *
 *   -cl-std=CL1.2
 *   -DMOG_WARP=32u            PEs whose memory is interleaved, a power of two; 1 without. STRIDE is the number of PEs
 *                             rounded up to it
//@ OPTIONS
 *   -cl-fp32-correctly-rounded-divide-sqrt, where the device has it; else -DMOG_DIVF_SOFT; where its floats lack
 *   denormals,
 *                             -DMOG_FLOAT_SOFT; where it has no doubles, -DMOG_DOUBLE_SOFT or -DMOG_DOUBLE_PAIR */

