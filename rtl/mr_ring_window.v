// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Windows of received numbers, one a context: base, and which of [base, base + WINDOW) have been taken in. One operation a
 * clock on any mix of contexts, one single context included, as if each were finished before the next began.
 *
 * Operations: OPEN (base = number, nothing taken in) and a look at number, which the user may answer with fill: number is
 * taken in, and base moves to the first number that has not been. Both units with windows stand on this
 * (spec: sack.packet, rob.packet).
 *
 *   cycle 0   issue: an operation on a context that exists; issue_open, issue_index, issue_number
 *   cycle 7   is_open, is_old (number before base), is_beyond (window's end or behind), is_first (number = base),
 *             is_present (taken in before; meaningful inside the window); in this same cycle the user decides fill, which
 *             must be low unless the operation is a look at a number inside an open window that is not present
 *   cycle 8   base_before (a look's), base_after
 *   cycle 9   ring_after
 * Reset empties the pipeline; sweep, sweep_index close the contexts.
 *
 * The ring. Number n lives in bit n mod WINDOW. The bit is not "taken in" but the lap of the number taken in last: it equals
 * bit log2(WINDOW) of n exactly when n, of all numbers in the window, is. A number that base has passed was taken in, in
 * the lap before, so its bit reads "not yet" for its successor: nothing is ever cleared, and all WINDOW places can be used.
 *
 * The recurrence. The ring is read in cycle 0 and written in cycle 9, so a sample misses up to 9 operations ahead of it.
 * What an operation needs from it are three facts: base, whether its number is present, and hole: the first number behind
 * its own that is not taken in. hole comes out of one find-first tree (two masked halves: ring indices from the start up,
 * then those below), so that no priority loop and no shift of the whole ring is in any cycle. base and hole are pointers to
 * free numbers. When an older operation fills the number a pointer points to, the pointer moves to that operation's own
 * hole, which is exact when it decides. So a pointer is corrected by one comparison with each older operation:
 *
 *      base or hole == number of an older operation that filled   ->   := hole of that operation
 *
 * An operation looks at those that decided before (cycle 6, all at once: their holes are kept corrected as they move down
 * the pipeline, so one step suffices), and at the one right ahead of it in cycle 7, as it decides itself. Which older
 * operations count (same context, no OPEN between) does not depend on decisions: it is settled in cycle 0 (depends).
 * So the only loop of cycle 7 is: fill of the operation ahead -> two-way choice of a comparison made for both -> fill.
 */
module mr_ring_window #(
    parameter WINDOW     = 256,  // numbers in a window, a power of two, 4 .. 256
    parameter CONTEXTS   = 16,   // contexts
    parameter INDEX_BITS = 4     // bits of a context's index
) (
    input  wire                  clk,
    input  wire                  rst,
    // init sweep
    input  wire                  sweep,
    input  wire [INDEX_BITS-1:0] sweep_index,
    // cycle 0
    input  wire                  issue,
    input  wire                  issue_open,
    input  wire [INDEX_BITS-1:0] issue_index,
    input  wire [          31:0] issue_number,
    // cycle 7
    output wire                  is_open,
    output wire                  is_old,
    output wire                  is_beyond,
    output wire                  is_first,
    output wire                  is_present,
    input  wire                  fill,
    // cycle 8
    output wire [          31:0] base_before,
    output wire [          31:0] base_after,
    // cycle 9
    output wire [    WINDOW-1:0] ring_after
);

  localparam LOG = $clog2(WINDOW);
  localparam LOOKUP = 6;  // cycle in which decided operations are looked at
  localparam DECIDE = 7;
  localparam DECIDED = 8;
  localparam WRITE = 9;  // cycle in which ring and base are written: a sample misses the WRITE operations ahead of it
  localparam LAST = LOOKUP + WRITE;  // oldest operation that matters to the one in LOOKUP
  localparam [WINDOW-1:0] ONE = {{(WINDOW - 1) {1'b0}}, 1'b1};
  localparam [WINDOW-1:0] ALL = {WINDOW{1'b1}};

  initial begin
    if (WINDOW < 4 || WINDOW > 256 || (WINDOW & (WINDOW - 1)) != 0) begin
      $display("%m: WINDOW is %0d, must be a power of two from 4 to 256", WINDOW);
      $finish;
    end
  end

  // -------------------------------------------------------------------------------- what moves down the pipeline
  // Element k belongs to the operation in cycle k of its life. The pipeline never stalls, so the operation issued
  // d cycles before the one in cycle k is always the one in cycle k + d.
  wire [LAST:0] live;
  reg [LAST:1] opens_reg;
  (* mem2reg *) reg [31:0] number_reg[1:LAST];
  (* mem2reg *) reg [INDEX_BITS-1:0] index_reg[1:WRITE];
  (* mem2reg *) reg [WRITE:1] depends_reg[1:DECIDED];  // bit d: the operation d ahead counts
  reg [DECIDE:1] fresh_reg;  // an OPEN of the context is among them
  (* mem2reg *) reg [31:0] base_reg[2:DECIDED];
  (* mem2reg *) reg [31:0] hole_reg[5:LAST];
  reg [DECIDE:2] open_reg;
  reg [DECIDE:3] present_reg;
  reg [LAST:DECIDED] acts_reg;  // an OPEN, or a look that filled

  mr_delay_valid #(
      .CYCLES(LAST)
  ) delay_live (
      .clk  (clk),
      .rst  (rst),
      .d    (issue),
      .stage(live)
  );

  always @(posedge clk) begin : move_fields
    integer k;
    opens_reg <= {opens_reg[LAST-1:1], issue_open};
    number_reg[1] <= issue_number;
    for (k = 2; k <= LAST; k = k + 1) number_reg[k] <= number_reg[k-1];
    index_reg[1] <= issue_index;
    for (k = 2; k <= WRITE; k = k + 1) index_reg[k] <= index_reg[k-1];
  end

  // -------------------------------------------------------------------------------- cycle 0: sample, dependences
  wire [WINDOW-1:0] ring_sample;
  wire [31:0] base_sample;
  wire open_sample;
  wire write_context;  // cycle 9
  reg [31:0] written_base_reg;
  wire [INDEX_BITS-1:0] write_index = sweep ? sweep_index : index_reg[WRITE];

  mr_ram #(
      .WIDTH       (WINDOW),
      .ADDRESS_BITS(INDEX_BITS)
  ) sampled_rings (
      .clk          (clk),
      .write_enable (write_context),
      .write_address(write_index),
      .write_data   (sweep ? {WINDOW{1'b0}} : ring_after),
      .read_address (issue_index),
      .read_data    (ring_sample)
  );

  mr_ram #(
      .WIDTH       (33),
      .ADDRESS_BITS(INDEX_BITS)
  ) sampled_bases (
      .clk          (clk),
      .write_enable (write_context),
      .write_address(write_index),
      .write_data   (sweep ? 33'd0 : {1'b1, written_base_reg}),
      .read_address (issue_index),
      .read_data    ({open_sample, base_sample})
  );

  wire [WRITE:1] same;
  genvar d;
  generate
    for (d = 1; d <= WRITE; d = d + 1) begin : ahead
      assign same[d] = live[d] && index_reg[d] == issue_index;
    end
  endgenerate

  reg [WRITE:1] depends_next;
  reg reopened;

  always @* begin : find_dependences
    integer k;
    depends_next = {WRITE{1'b0}};
    reopened = 1'b0;
    for (k = 1; k <= WRITE; k = k + 1) begin
      depends_next[k] = same[k] && !reopened && !issue_open;
      reopened = reopened || (same[k] && opens_reg[k]);
    end
  end

  wire [31:0] issue_start = issue_number + 32'd1;
  (* mem2reg *) reg [31:0] start_reg[1:4];  // number + 1: where the search for the hole starts
  (* mem2reg *) reg [WINDOW-1:0] upper_reg[1:2];  // ring indices from start's up

  always @(posedge clk) begin : move_dependences
    integer k;
    depends_reg[1] <= depends_next;
    for (k = 2; k <= DECIDED; k = k + 1) depends_reg[k] <= depends_reg[k-1];
    fresh_reg <= {fresh_reg[DECIDE-1:1], reopened};
    start_reg[1] <= issue_start;
    for (k = 2; k <= 4; k = k + 1) start_reg[k] <= start_reg[k-1];
    upper_reg[1] <= ALL << issue_start[LOG-1:0];
    upper_reg[2] <= upper_reg[1];
  end

  // -------------------------------------------------------------------------------- cycle 1: holes of the sample
  // Bit i of holes: the number behind `number` that lives in ring index i is not taken in. The search ends at the window's
  // end, base + WINDOW, which shares its place with base: that place is forced to be a hole. Where the sample does not hold
  // for number (outside its window, or an OPEN is on its way) the hole is number + 1: start's place is forced.
  wire [31:0] sample_distance;
  wire sample_is_old;
  wire outside = sample_is_old || sample_distance[31:LOG] != {(32 - LOG) {1'b0}};
  reg outside_reg;
  reg [LOG-1:0] forced_reg;
  reg [WINDOW-1:0] holes_reg;

  mr_seq_before #(
      .WIDTH(32)
  ) compare_sample (
      .a        (number_reg[1]),
      .b        (base_sample),
      .distance (sample_distance),
      .is_before(sample_is_old)
  );

  always @(posedge clk) begin
    holes_reg <= ~(ring_sample ^ upper_reg[1] ^ {WINDOW{start_reg[1][LOG]}});
    outside_reg <= outside || fresh_reg[1];
    forced_reg <= (outside || fresh_reg[1]) ? start_reg[1][LOG-1:0] : base_sample[LOG-1:0];
    open_reg <= {open_reg[DECIDE-1:2], open_sample || fresh_reg[1]};
    base_reg[2] <= base_sample;
  end

  // -------------------------------------------------------------------------------- cycles 2 to 4: find the hole
  wire [WINDOW-1:0] holes = holes_reg | (ONE << forced_reg);
  wire [LOG:0] hole_position;  // the top bit: in the lower half, which is one lap on
  wire hole_found;

  mr_find_first #(
      .WIDTH(2 * WINDOW),
      .GROUP(WINDOW >= 64 ? 16 : 4)
  ) find_hole (
      .clk     (clk),
      .vector  ({holes & ~upper_reg[2], holes & upper_reg[2]}),
      .found   (hole_found),
      .position(hole_position)
  );

  // The place that number shares with number + WINDOW is a hole for the latter exactly when number is taken in.
  wire present_sample = holes_reg[number_reg[2][LOG-1:0]] && !outside_reg;
  wire [31:LOG] hole_lap = start_reg[4][31:LOG] + {{(31 - LOG) {1'b0}}, hole_position[LOG]};

  always @(posedge clk) hole_reg[5] <= opens_reg[4] ? number_reg[4] : {hole_lap, hole_position[LOG-1:0]};

  // -------------------------------------------------------------------------------- cycles 5 and 6: decided operations
  // The operation d ahead is in cycle 6 + d when this one is in cycle 6; those with d >= 2 have decided. An OPEN's hole is
  // its base: it moves base and nothing else.
  reg [WRITE:2] hit_base_reg, hit_hole_reg, hit_number_reg;
  wire [31:0] hole_now[DECIDED:LAST];  // corrected by the operation that decided last
  wire [32*WRITE-1:0] base_choice, hole_choice;  // OR so far, from distance 2 on
  wire [WRITE:2] acted;

  assign base_choice[31:0] = 32'd0;
  assign hole_choice[31:0] = 32'd0;

  generate
    for (d = 2; d <= WRITE; d = d + 1) begin : decided
      wire counts = depends_reg[LOOKUP-1][d];
      wire looked = counts && !opens_reg[LOOKUP-1+d];
      wire moves_base = hit_base_reg[d] && acts_reg[LOOKUP+d];
      wire moves_hole = hit_hole_reg[d] && acts_reg[LOOKUP+d];

      always @(posedge clk) begin
        hit_base_reg[d] <= counts && (opens_reg[LOOKUP-1+d] ||
                                      (!fresh_reg[LOOKUP-1] && base_reg[LOOKUP-1] == number_reg[LOOKUP-1+d]));
        hit_hole_reg[d] <= looked && hole_reg[LOOKUP-1] == number_reg[LOOKUP-1+d];
        hit_number_reg[d] <= looked && number_reg[LOOKUP-1] == number_reg[LOOKUP-1+d];
      end

      assign base_choice[(d-1)*32+:32] = base_choice[(d-2)*32+:32] | ({32{moves_base}} & hole_now[LOOKUP+d]);
      assign hole_choice[(d-1)*32+:32] = hole_choice[(d-2)*32+:32] | ({32{moves_hole}} & hole_now[LOOKUP+d]);
      assign acted[d] = acts_reg[LOOKUP+d];
    end

    assign hole_now[DECIDED] = hole_reg[DECIDED];
    for (d = 1; d <= LAST - DECIDED; d = d + 1) begin : correct
      wire filled = acts_reg[DECIDED] && !opens_reg[DECIDED] && depends_reg[DECIDED][d] &&
          hole_reg[DECIDED+d] == number_reg[DECIDED];
      assign hole_now[DECIDED+d] = filled ? hole_reg[DECIDED] : hole_reg[DECIDED+d];
    end
  endgenerate

  wire base_moved = (hit_base_reg & acted) != {(WRITE - 1) {1'b0}};
  wire hole_moved = (hit_hole_reg & acted) != {(WRITE - 1) {1'b0}};
  wire came = (hit_number_reg & acted) != {(WRITE - 1) {1'b0}};

  // -------------------------------------------------------------------------------- cycle 7: decision
  wire counts_next_ahead = depends_reg[DECIDE][1] && acts_reg[DECIDED];
  wire looked_next_ahead = counts_next_ahead && !opens_reg[DECIDED];
  wire base_moves = counts_next_ahead && (opens_reg[DECIDED] || base_reg[DECIDE] == number_reg[DECIDED]);
  wire hole_moves = looked_next_ahead && hole_reg[DECIDE] == number_reg[DECIDED];
  wire [31:0] base_now = base_moves ? hole_reg[DECIDED] : base_reg[DECIDE];

  wire [31:0] stay_distance, move_distance;
  wire stay_is_old, move_is_old;
  wire stay_is_outside = stay_distance[31:LOG] != {(32 - LOG) {1'b0}};
  wire move_is_outside = move_distance[31:LOG] != {(32 - LOG) {1'b0}};

  mr_seq_before #(
      .WIDTH(32)
  ) compare_stay (
      .a        (number_reg[DECIDE]),
      .b        (base_reg[DECIDE]),
      .distance (stay_distance),
      .is_before(stay_is_old)
  );

  mr_seq_before #(
      .WIDTH(32)
  ) compare_move (
      .a        (number_reg[DECIDE]),
      .b        (hole_reg[DECIDED]),
      .distance (move_distance),
      .is_before(move_is_old)
  );

  assign is_open = live[DECIDE] && open_reg[DECIDE];
  assign is_old = base_moves ? move_is_old : stay_is_old;
  assign is_beyond = base_moves ? move_is_outside && !move_is_old : stay_is_outside && !stay_is_old;
  assign is_first = base_moves ? move_distance == 32'd0 : stay_distance == 32'd0;
  assign is_present = present_reg[DECIDE] || (looked_next_ahead && number_reg[DECIDE] == number_reg[DECIDED]);

  reg first_reg;
  reg [WINDOW-1:0] mask_reg;  // OPEN: ring indices from number's up; else: number's place
  wire [LOG-1:0] decide_place = number_reg[DECIDE][LOG-1:0];

  always @(posedge clk) begin : move_pointers
    integer k;
    for (k = 3; k < DECIDE; k = k + 1) base_reg[k] <= base_reg[k-1];
    base_reg[DECIDE] <= base_moved ? base_choice[(WRITE-1)*32+:32] : base_reg[LOOKUP];
    base_reg[DECIDED] <= base_now;

    hole_reg[LOOKUP] <= hole_reg[LOOKUP-1];
    hole_reg[DECIDE] <= hole_moved ? hole_choice[(WRITE-1)*32+:32] : hole_reg[LOOKUP];
    hole_reg[DECIDED] <= hole_moves ? hole_reg[DECIDED] : hole_reg[DECIDE];
    for (k = DECIDED + 1; k <= LAST; k = k + 1) hole_reg[k] <= hole_now[k-1];

    present_reg <= {present_reg[LOOKUP] || came, present_reg[LOOKUP-1:3], present_sample};
    acts_reg <= {acts_reg[LAST-1:DECIDED], live[DECIDE] && (opens_reg[DECIDE] || fill)};
    first_reg <= is_first;
    mask_reg <= (opens_reg[DECIDE] ? ALL : ONE) << decide_place;
  end

  // -------------------------------------------------------------------------------- cycles 8 and 9: new ring and base
  wire [WINDOW-1:0] ring;
  wire lap = number_reg[DECIDED][LOG];
  wire [WINDOW-1:0] ring_opened = mask_reg ^ {WINDOW{lap}};  // everything reads "not yet"
  wire [WINDOW-1:0] ring_filled = lap ? ring | mask_reg : ring & ~mask_reg;
  wire [WINDOW-1:0] ring_next = !acts_reg[DECIDED] ? ring : opens_reg[DECIDED] ? ring_opened : ring_filled;
  reg [WINDOW-1:0] ring_reg;

  mr_context_ram #(
      .WIDTH       (WINDOW),
      .DEPTH       (CONTEXTS),
      .ADDRESS_BITS(INDEX_BITS)
  ) rings (
      .clk          (clk),
      .read_address (index_reg[DECIDE]),
      .read_data    (ring),
      .write_enable (sweep || acts_reg[DECIDED]),
      .write_address(sweep ? sweep_index : index_reg[DECIDED]),
      .write_data   (sweep ? {WINDOW{1'b0}} : ring_next)
  );

  always @(posedge clk) begin
    ring_reg <= ring_next;
    written_base_reg <= base_after;
  end

  assign base_before = base_reg[DECIDED];
  assign base_after = opens_reg[DECIDED] ? number_reg[DECIDED] :
      acts_reg[DECIDED] && first_reg ? hole_reg[DECIDED] : base_reg[DECIDED];
  assign ring_after = ring_reg;
  assign write_context = sweep || acts_reg[WRITE];

  wire unused = &{1'b0, hole_found, sample_distance[LOG-1:0], live[LAST:WRITE+1], depends_reg[DECIDED][WRITE:DECIDED]};

`ifdef FORMAL
  // 1. A fill is of a look at an open window, inside it, at a number not there before.
  always @(posedge clk)
    if (!rst && fill) assert (is_open && !opens_reg[DECIDE] && !is_old && !is_beyond && !is_present);
  // 2. It does its job: base moves over a number that came out of order.
  always @(posedge clk) cover (acts_reg[DECIDED] && !opens_reg[DECIDED] && base_after == base_before + 32'd2);
`endif

endmodule

`default_nettype wire
