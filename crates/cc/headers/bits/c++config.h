/* Stands before the GNU library's header of this name, for every C++ source that faultline-c++ compiles.
 *
 * The library promises that `std::string` is compiled in the library, so that its members are declared only: what they do
 * would be outside of what is recorded. With this value, the library's own for its checked mode, they are compiled with the
 * program, as they are for C++20 anyway; nothing else is. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#ifdef _GLIBCXX_EXTERN_TEMPLATE
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
