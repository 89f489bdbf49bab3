// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rate_pace: next-eligible time of a connection (spec: rate.send).
 *
 * Stage 19 of mr_rate, one clock; departure belongs to the operation of the clock before, and is 0 unless that was a
 * granted SEND. Times are 58 bits in 2^-10 ns, modular. No reset: OPEN_CONNECTION writes the context.
 */
module mr_rate_pace #(
    // connection contexts
    parameter CONTEXTS = 4,
    // bits of their index
    parameter INDEX_BITS = 2
) (
    input  wire                  clk,
    input  wire [INDEX_BITS-1:0] read_index,

    input  wire                  open_connection,
    input  wire                  granted,
    input  wire [INDEX_BITS-1:0] index,
    // ns
    input  wire [          47:0] now,
    // 2^-10 ns
    input  wire [          40:0] interval,

    output wire [          57:0] departure
);

  localparam [57:0] BURST = {32'd0, `MR_PACING_BURST_NS, {`MR_TIME_FRACTION_BITS{1'b0}}};

  wire [57:0] stored;
  wire [57:0] present = {now, {`MR_TIME_FRACTION_BITS{1'b0}}};
  wire [57:0] earliest = stored - BURST;
  wire        earliest_is_past;
  wire        stored_is_past;
  wire [57:0] unused_distance_earliest;
  wire [57:0] unused_distance_stored;
  wire        unused = &{1'b0, unused_distance_earliest, unused_distance_stored};
  wire [57:0] advanced = (stored_is_past ? present : stored) + {17'd0, interval};

  reg  [57:0] departure_reg;

  assign departure = departure_reg;

  mr_seq_before #(
    .WIDTH(58)
  ) compare_earliest (
    .a(earliest),
    .b(present),
    .distance(unused_distance_earliest),
    .is_before(earliest_is_past)
  );

  mr_seq_before #(
    .WIDTH(58)
  ) compare_stored (
    .a(stored),
    .b(present),
    .distance(unused_distance_stored),
    .is_before(stored_is_past)
  );

  mr_context_ram #(
    .WIDTH(58),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data(stored),
    .write_enable(open_connection || granted),
    .write_address(index),
    .write_data(open_connection ? present : advanced)
  );

  always @(posedge clk) begin
    departure_reg <= 58'd0;
    if (granted) departure_reg <= earliest_is_past ? present : earliest;
  end

endmodule

`default_nettype wire
