package load

import "strings"

// words makes a set of the words of a text.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// reservedWords is, by language, the words that cannot be an identifier there. Verilator parses SystemVerilog by
// default, so its words count too.
var reservedWords = []struct {
	language string
	set      map[string]bool
}{
	{"Verilog-2005", words(`
		always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default defparam
		design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify
		endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir include
		initial inout input instance integer join large liblist library localparam macromodule medium module nand
		negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1
		pulldown pullup pulsestyle_onevent pulsestyle_ondetect rcmos real realtime reg release repeat rnmos rpmos rtran
		rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table
		task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0
		weak1 while wire wor xnor xor`)},
	{"SystemVerilog", words(`
		accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break byte chandle
		checker class clocking const constraint context continue cover covergroup coverpoint cross dist do endchecker
		endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum eventually expect
		export extends extern final first_match foreach forkjoin global iff ignore_bins illegal_bins implements implies
		import inside int interconnect interface intersect join_any join_none let local logic longint matches modport
		nettype new nexttime null package packed priority program property protected pure rand randc randcase
		randsequence ref reject_on restrict return s_always s_eventually s_nexttime s_until s_until_with sequence
		shortint shortreal soft solve static string strong struct super sync_accept_on sync_reject_on tagged this
		throughout timeprecision timeunit type typedef union unique unique0 until until_with untyped var virtual void
		wait_order weak wildcard with within`)},
	{"Go", words(`
		break case chan const continue default defer else fallthrough for func go goto if import interface map package
		range return select struct switch type var init main`)},
	{"C++", words(`
		alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
		compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
		default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
		int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
		reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
		this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
		while xor xor_eq`)},
	{"Python", words(`
		False None True and as assert async await break class continue def del elif else except finally for from global
		if import in is lambda nonlocal not or pass raise return try while with yield`)},
	{"Lua", words(`
		and break do else elseif end false for function goto if in local nil not or repeat return then true until
		while`)},
}

// reservedIn names the first language that reserves the word, or is "".
func reservedIn(word string) string {
	for _, r := range reservedWords {
		if r.set[word] {
			return r.language
		}
	}
	return ""
}

// fieldWords are reserved words that are allowed as field names, because they are the standard terms and every target
// emits a field with the name of its port or header before it, quoted, or in camel case.
var fieldWords = words(`class sequence type`)

// configurationWords are strengths in Verilog, and stand only in a string and a directory there.
var configurationWords = words(`small large`)

// methodNames would collide with a method of the generated Go structs once in camel case.
var methodNames = words(`append len string parse`)

// cMacros are names that a C or C++ header may define as a macro.
var cMacros = words(`NULL EOF NAN INFINITY ERROR TRUE FALSE DOMAIN OVERFLOW UNDERFLOW SING PLOSS TLOSS BUFSIZ SIGINT
	SIGTERM CHAR_BIT INT_MAX INT_MIN LONG_MAX LONG_MIN RAND_MAX EXIT_SUCCESS EXIT_FAILURE STDIN STDOUT STDERR`)
