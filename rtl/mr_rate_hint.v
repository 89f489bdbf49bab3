// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rate_hint: cap and newest rate hint of a connection (spec: rate.open, rate.ack step 5).
 *
 * Stage 14 of mr_rate, one clock; the outputs are the codes after the operation of the clock before. No reset:
 * OPEN_CONNECTION writes the context.
 */
module mr_rate_hint #(
    // connection contexts
    parameter CONTEXTS = 4,
    // bits of their index
    parameter INDEX_BITS = 2
) (
    input  wire                  clk,
    input  wire [INDEX_BITS-1:0] read_index,

    input  wire                  open_connection,
    input  wire                  ack,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          15:0] rate,
    input  wire [          15:0] hint_sequence,

    output wire [          15:0] cap,
    output wire [          15:0] hint,
    // the operation carried a rate code that is none
    output wire                  illegal
);

  localparam WIDTH = 16 + 16 + 16 + 1;

  wire [15:0] stored_cap;
  wire [15:0] stored_hint;
  wire [15:0] stored_sequence;
  wire        stored_valid;
  wire        sequence_is_before;
  wire [15:0] unused_distance;
  wire        unused = &{1'b0, unused_distance};

  reg  [15:0] cap_next, cap_reg;
  reg  [15:0] hint_next, hint_reg;
  reg  [15:0] sequence_next;
  reg         valid_next;
  reg         illegal_reg;

  wire        rate_is_illegal = rate[`MR_HINT_MANTISSA_BITS-1:0] == {`MR_HINT_MANTISSA_BITS{1'b0}};
  wire        newer = !stored_valid || !sequence_is_before;

  assign cap     = cap_reg;
  assign hint    = hint_reg;
  assign illegal = illegal_reg;

  mr_seq_before #(
    .WIDTH(16)
  ) compare (
    .a(hint_sequence),
    .b(stored_sequence),
    .distance(unused_distance),
    .is_before(sequence_is_before)
  );

  mr_context_ram #(
    .WIDTH(WIDTH),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data({stored_cap, stored_hint, stored_sequence, stored_valid}),
    .write_enable(open_connection || ack),
    .write_address(index),
    .write_data({cap_next, hint_next, sequence_next, valid_next})
  );

  always @* begin
    cap_next      = stored_cap;
    hint_next     = stored_hint;
    sequence_next = stored_sequence;
    valid_next    = stored_valid;
    if (open_connection) begin
      cap_next      = rate_is_illegal ? `MR_HINT_NO_LIMIT : rate;
      hint_next     = `MR_HINT_NO_LIMIT;
      sequence_next = 16'd0;
      valid_next    = 1'b0;
    end else if (ack && !rate_is_illegal && newer) begin
      hint_next     = rate;
      sequence_next = hint_sequence;
      valid_next    = 1'b1;
    end
  end

  always @(posedge clk) begin
    cap_reg     <= cap_next;
    hint_reg    <= hint_next;
    illegal_reg <= (open_connection || ack) && rate_is_illegal;
  end

endmodule

`default_nettype wire
