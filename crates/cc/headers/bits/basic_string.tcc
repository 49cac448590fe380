/* Stands before the GNU library's header of this name, for every C++ source that faultline-c++ compiles.
 *
 * The library promises that `std::string` is compiled in the library, so that its members, and what writes it to a stream,
 * are declared only: what they do would be outside of what is recorded. Without the promise they are compiled with the
 * program, as most of them are for C++20 anyway; nothing else is. */
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
