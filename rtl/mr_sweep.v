// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Init sweep: counts once through the contexts after reset, one a cycle, from cycle 0 (spec: cycle.reset).
 *
 * busy        high in cycles 0 .. CONTEXTS - 1: write the closed context at index.
 * ready_next  high from cycle CONTEXTS - 1 on: a register fed by it is high from cycle CONTEXTS = first_ready on.
 */
module mr_sweep #(
    parameter CONTEXTS   = 16,  // contexts, a power of two
    parameter INDEX_BITS = 4    // bits of an index; 1 for a single context
) (
    input  wire                  clk,
    input  wire                  rst,
    output wire                  busy,
    output wire [INDEX_BITS-1:0] index,
    output wire                  ready_next
);

  localparam [INDEX_BITS-1:0] LAST = CONTEXTS[INDEX_BITS-1:0] - 1'b1;

  initial begin
    if (CONTEXTS < 1 || CONTEXTS > (1 << INDEX_BITS)) begin
      $display("%m: CONTEXTS %0d do not fit in INDEX_BITS %0d", CONTEXTS, INDEX_BITS);
      $finish;
    end
  end

  reg busy_reg;
  reg [INDEX_BITS-1:0] index_reg;

  always @(posedge clk) begin
    if (busy_reg) begin
      index_reg <= index_reg + 1'b1;
      busy_reg  <= index_reg != LAST;
    end
    if (rst) begin
      busy_reg  <= 1'b1;
      index_reg <= {INDEX_BITS{1'b0}};
    end
  end

  assign busy = busy_reg;
  assign index = index_reg;
  assign ready_next = !busy_reg || index_reg == LAST;

endmodule

`default_nettype wire
