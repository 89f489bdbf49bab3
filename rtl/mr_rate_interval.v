// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rate_interval: time that a packet takes at the smaller of two rate codes (spec: rate.code, rate.interval).
 *
 * Stages 15 to 18 of mr_rate, four clocks, feed-forward: choose the code, read the reciprocal of its mantissa, multiply,
 * shift by its exponent and round up. bytes belong to the operation two clocks after its codes. No reset.
 */
module mr_rate_interval #(
    // 2048 words of 27 bits: time per byte in 2^-10 ns by mantissa
    parameter RECIPROCAL_FILE = "mr_rate_reciprocal.mem"
) (
    input  wire        clk,

    // legal rate codes
    input  wire [15:0] cap,
    input  wire [15:0] hint,
    // two clocks after cap and hint
    input  wire [15:0] bytes,

    // 2^-10 ns; at most 2^40
    output wire [40:0] interval
);

  localparam integer MANTISSA = {28'd0, `MR_HINT_MANTISSA_BITS};
  // mantissa shifted by the largest exponent
  localparam integer VALUE_BITS = MANTISSA + 31;
  localparam [57:0] HORIZON = {`MR_PACING_HORIZON_NS, {`MR_TIME_FRACTION_BITS{1'b0}}};

  wire [VALUE_BITS-1:0] cap_value = {31'd0, cap[MANTISSA-1:0]} << cap[15:MANTISSA];
  wire [VALUE_BITS-1:0] hint_value = {31'd0, hint[MANTISSA-1:0]} << hint[15:MANTISSA];

  reg  [          15:0] code_reg;
  wire [          26:0] reciprocal;
  wire [          15:0] product_code;
  reg  [          15:0] shift_code_reg;
  reg  [          42:0] product_reg;
  reg  [          40:0] interval_reg;

  wire [           4:0] exponent = shift_code_reg[15:MANTISSA];
  wire [          42:0] whole = product_reg >> exponent;
  wire                  inexact = (product_reg & ~({43{1'b1}} << exponent)) != 43'd0;
  wire [          42:0] rounded = whole + {42'd0, inexact};

  assign interval = interval_reg;

  mr_rom #(
    .WIDTH(27),
    .DEPTH(2048),
    .ADDRESS_BITS(11),
    .FILE(RECIPROCAL_FILE)
  ) reciprocals (
    .clk(clk),
    .address(code_reg[MANTISSA-1:0]),
    .data(reciprocal)
  );

  mr_delay #(
    .WIDTH(16),
    .CYCLES(1)
  ) delay_code (
    .clk(clk),
    .d(code_reg),
    .q(product_code)
  );

  always @(posedge clk) begin
    // the hint where both are equal: codes of one value may differ in the last units
    code_reg       <= cap_value < hint_value ? cap : hint;
    shift_code_reg <= product_code;
    product_reg    <= reciprocal * bytes;
    interval_reg   <= {15'd0, rounded} > HORIZON ? HORIZON[40:0] : rounded[40:0];
    if (shift_code_reg == `MR_HINT_NO_LIMIT) interval_reg <= 41'd0;
  end

endmodule

`default_nettype wire
