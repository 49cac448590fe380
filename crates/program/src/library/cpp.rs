//! C++: memory, exceptions, and what streams do with plain values.

use super::effect::{Channel::*, Effect::*, Known, Term::*, f};

pub const TABLE: &[Known] = &[
    // std::istream::get(), operator>> of numbers
    f("_ZNSi3getERc", &[Input(Stream(Arg(0)), Arg(1), Bytes(1)), Aliases(0)]),
    f("_ZNSi3getEv", &[InputCharacter(Stream(Arg(0)))]),
    f("_ZNSi4peekEv", &[InputCharacter(Stream(Arg(0)))]),
    f("_ZNSi4readEPcl", &[Input(Stream(Arg(0)), Arg(1), Arg(2)), Aliases(0)]),
    f("_ZNSirsERb", &[Input(Stream(Arg(0)), Arg(1), Bytes(1)), Aliases(0)]),
    f("_ZNSirsERd", &[Input(Stream(Arg(0)), Arg(1), Bytes(8)), Aliases(0)]),
    f("_ZNSirsERf", &[Input(Stream(Arg(0)), Arg(1), Bytes(4)), Aliases(0)]),
    f("_ZNSirsERi", &[Input(Stream(Arg(0)), Arg(1), Bytes(4)), Aliases(0)]),
    f("_ZNSirsERj", &[Input(Stream(Arg(0)), Arg(1), Bytes(4)), Aliases(0)]),
    f("_ZNSirsERl", &[Input(Stream(Arg(0)), Arg(1), Bytes(8)), Aliases(0)]),
    f("_ZNSirsERm", &[Input(Stream(Arg(0)), Arg(1), Bytes(8)), Aliases(0)]),
    f("_ZNSirsERs", &[Input(Stream(Arg(0)), Arg(1), Bytes(2)), Aliases(0)]),
    f("_ZNSirsERt", &[Input(Stream(Arg(0)), Arg(1), Bytes(2)), Aliases(0)]),
    f("_ZNSirsERx", &[Input(Stream(Arg(0)), Arg(1), Bytes(8)), Aliases(0)]),
    f("_ZNSirsERy", &[Input(Stream(Arg(0)), Arg(1), Bytes(8)), Aliases(0)]),
    // std::ostream::write(char const *, long), put(char), flush()
    f("_ZNSo3putEc", &[OutputCharacter(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSo5flushEv", &[Aliases(0)]),
    f("_ZNSo5writeEPKcl", &[Output(Stream(Arg(0)), Arg(1), Arg(2)), Reads(Arg(1), Arg(2)), Aliases(0)]),
    // std::ostream::_M_insert of bool, double, long double, long, void const *, unsigned long, long long
    f("_ZNSo9_M_insertIPKvEERSoT_", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSo9_M_insertIbEERSoT_", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSo9_M_insertIdEERSoT_", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSo9_M_insertIeEERSoT_", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSo9_M_insertIlEERSoT_", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSo9_M_insertImEERSoT_", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    // operator<< of one of these
    f("_ZNSolsEPFRSoS_E", &[Calls(1), Aliases(0)]),
    f("_ZNSolsEPKv", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEb", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEd", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEe", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEf", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEi", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEj", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEl", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEm", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEs", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEt", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEx", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    f("_ZNSolsEy", &[OutputNumber(Stream(Arg(0)), 1), Aliases(0)]),
    // std::condition_variable::wait, std::thread::join
    f("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", &[Waits]),
    f("_ZNSt6thread4joinEv", &[Waits]),
    // std::ios_base::Init, std::terminate
    f("_ZNSt8ios_base4InitC1Ev", &[]),
    f("_ZNSt8ios_base4InitD1Ev", &[]),
    // std::__ostream_insert(ostream &, char const *, long)
    f(
        "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
        &[Output(Stream(Arg(0)), Arg(1), Arg(2)), Reads(Arg(1), Arg(2)), Aliases(0)],
    ),
    // std::__throw_length_error(char const *) and relatives
    f("_ZSt17__throw_bad_allocv", &[Jumps]),
    f("_ZSt19__throw_logic_errorPKc", &[Reads(Arg(0), Text), Jumps]),
    f("_ZSt20__throw_length_errorPKc", &[Reads(Arg(0), Text), Jumps]),
    f("_ZSt20__throw_out_of_rangePKc", &[Reads(Arg(0), Text), Jumps]),
    f("_ZSt24__throw_out_of_range_fmtPKcz", &[Reads(Arg(0), Text), Jumps]),
    f("_ZSt25__throw_bad_function_callv", &[Jumps]),
    f("_ZSt28__throw_bad_array_new_lengthv", &[Jumps]),
    // std::endl, std::flush
    f("_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", &[OutputCharacter(Stream(Arg(0)), 0), Aliases(0)]),
    f("_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", &[Aliases(0)]),
    // getline and operator>> of a string, operator>> of a character
    f(
        "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_",
        &[Input(Stream(Arg(0)), At(1), Unknown), Writes(Arg(1), Bytes(16)), Aliases(0)],
    ),
    f("_ZSt9terminatev", &[Fails]),
    // operator<<(ostream &, char const *), of a char
    f(
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
        &[Output(Stream(Arg(0)), Arg(1), Text), Reads(Arg(1), Text), Aliases(0)],
    ),
    f("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", &[OutputCharacter(Stream(Arg(0)), 1), Aliases(0)]),
    f(
        "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_",
        &[Input(Stream(Arg(0)), Arg(1), Bytes(1)), Aliases(0)],
    ),
    f(
        "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
        &[Input(Stream(Arg(0)), At(1), Unknown), Writes(Arg(1), Bytes(16)), Aliases(0)],
    ),
    // operator delete, delete[], new, new[]
    f("_ZdaPv", &[Frees(Arg(0))]),
    f("_ZdaPvm", &[Frees(Arg(0))]),
    f("_ZdaPvmSt11align_val_t", &[Frees(Arg(0))]),
    f("_ZdlPv", &[Frees(Arg(0))]),
    f("_ZdlPvm", &[Frees(Arg(0))]),
    f("_ZdlPvmSt11align_val_t", &[Frees(Arg(0))]),
    f("_Znam", &[Allocates(Arg(0))]),
    f("_ZnamRKSt9nothrow_t", &[Allocates(Arg(0))]),
    f("_ZnamSt11align_val_t", &[Allocates(Arg(0))]),
    f("_Znwm", &[Allocates(Arg(0))]),
    f("_ZnwmRKSt9nothrow_t", &[Allocates(Arg(0))]),
    f("_ZnwmSt11align_val_t", &[Allocates(Arg(0))]),
    f("__cxa_allocate_exception", &[Allocates(Arg(0))]),
    f("__cxa_bad_cast", &[Jumps]),
    f("__cxa_begin_catch", &[]),
    f("__cxa_call_unexpected", &[Fails]),
    f("__cxa_end_catch", &[]),
    f("__cxa_free_exception", &[Frees(Arg(0))]),
    f("__cxa_guard_abort", &[]),
    f("__cxa_guard_acquire", &[Writes(Arg(0), Bytes(8))]),
    f("__cxa_guard_release", &[Writes(Arg(0), Bytes(8))]),
    f("__cxa_pure_virtual", &[Fails]),
    f("__cxa_rethrow", &[Jumps]),
    f("__cxa_throw", &[Jumps]),
    f("__dynamic_cast", &[Pure, Aliases(0)]),
];
