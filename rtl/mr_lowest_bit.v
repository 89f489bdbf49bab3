// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Index of the lowest set bit of a short vector. Combinational, LOG levels deep: each level halves the vector.
 */
module mr_lowest_bit #(
    parameter LOG = 4  // log2 of the vector's width, 1 .. 6
) (
    input  wire [(1<<LOG)-1:0] vector,
    output wire                any,
    output wire [     LOG-1:0] index   // 2^LOG - 1 where no bit is set
);

  initial begin
    if (LOG < 1 || LOG > 6) begin
      $display("%m: LOG is %0d, must be 1 to 6", LOG);
      $finish;
    end
  end

  // Level k looks at a window of 2^(k+1) bits: its lower half is empty, so the index has bit k set; else it is clear.
  reg [(1<<LOG)-1:0] window;
  reg [LOG-1:0] index_next;

  always @* begin : halve
    integer k;
    window = vector;
    index_next = {LOG{1'b0}};
    for (k = LOG - 1; k >= 0; k = k - 1) begin
      index_next[k] = (window & ((({{((1 << LOG) - 1) {1'b0}}, 1'b1}) << (1 << k)) - 1'b1)) == {(1 << LOG) {1'b0}};
      if (index_next[k]) window = window >> (1 << k);
    end
  end

  assign any   = |vector;
  assign index = index_next;

endmodule

`default_nettype wire
