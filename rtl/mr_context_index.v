// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Context of a pair of identifiers: index = major * MINORS + minor, known where both are in range (spec: sack.context).
 *
 * MAJORS and MINORS are powers of two, so index is the low bits of both; it is in range, if meaningless, where known
 * is 0. Combinational.
 */
module mr_context_index #(
    parameter MAJOR_BITS = 24,  // width of the major identifier
    parameter MINOR_BITS = 12,  // width of the minor identifier
    parameter MAJORS     = 4,   // power of two, 1 .. 2^MAJOR_BITS
    parameter MINORS     = 4,   // power of two, 1 .. 2^MINOR_BITS
    parameter INDEX_BITS = 4    // $clog2(MAJORS * MINORS), but at least 1
) (
    input  wire [MAJOR_BITS-1:0] major,
    input  wire [MINOR_BITS-1:0] minor,
    output wire [INDEX_BITS-1:0] index,
    output wire                  known
);

  localparam MINOR_LOG = $clog2(MINORS);
  localparam WIDE_BITS = MAJOR_BITS + MINOR_BITS;
  localparam [MAJOR_BITS:0] MAJOR_MASK = MAJORS[MAJOR_BITS:0] - 1'b1;
  localparam [MINOR_BITS:0] MINOR_MASK = MINORS[MINOR_BITS:0] - 1'b1;

  initial begin
    if (MAJORS < 1 || MAJORS > (1 << MAJOR_BITS) || (MAJORS & (MAJORS - 1)) != 0) begin
      $display("%m: MAJORS %0d must be a power of two that %0d bits can tell apart", MAJORS, MAJOR_BITS);
      $finish;
    end
    if (MINORS < 1 || MINORS > (1 << MINOR_BITS) || (MINORS & (MINORS - 1)) != 0) begin
      $display("%m: MINORS %0d must be a power of two that %0d bits can tell apart", MINORS, MINOR_BITS);
      $finish;
    end
    if (INDEX_BITS < 1 || (1 << INDEX_BITS) < MAJORS * MINORS) begin
      $display("%m: INDEX_BITS %0d cannot number %0d x %0d contexts", INDEX_BITS, MAJORS, MINORS);
      $finish;
    end
  end

  wire [MAJOR_BITS-1:0] major_low = major & MAJOR_MASK[MAJOR_BITS-1:0];
  wire [MINOR_BITS-1:0] minor_low = minor & MINOR_MASK[MINOR_BITS-1:0];
  wire [WIDE_BITS-1:0] wide = ({{MINOR_BITS{1'b0}}, major_low} << MINOR_LOG) | {{MAJOR_BITS{1'b0}}, minor_low};

  assign index = wide[INDEX_BITS-1:0];
  assign known = major == major_low && minor == minor_low;

  wire unused = &{1'b0, wide[WIDE_BITS-1:INDEX_BITS], MAJOR_MASK[MAJOR_BITS], MINOR_MASK[MINOR_BITS]};

endmodule

`default_nettype wire
