// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"

/*
 * Message entries of the reorder buffer: what has been counted of each message, and the check of a packet against it
 * (spec: rob.packet).
 *
 *   cycle c      read_index, read_message
 *   cycle c + 1  the packet (length, bytes, opcode): consistent, completes, as all earlier operations left the entry; in this
 *                same cycle the user decides accept (count the packet) or opens (empty the stream's ring)
 *   cycle c + 2  first: the accepted packet was its message's first
 *
 * Whether an entry is started is one bit of a word a stream, and that bit is a lap as in mr_ring_window: entry m mod E is
 * started exactly when the bit equals bit log2(E) of m, for m in [head, head + E). The entry of a message that was retired
 * reads "not started" for its successor by itself, and OPEN empties all entries by one write. What an entry holds is
 * remaining = length - received bytes: one subtraction says too many (borrow), complete (zero) or neither. It is made for
 * a started entry and for a first packet at the same time; the started bit, which comes last, chooses.
 */
module mr_rob_entries #(
    parameter REORDER_DEPTH = 16,  // messages of a ring, a power of two
    parameter CONTEXTS      = 16,  // streams
    parameter INDEX_BITS    = 4    // bits of a stream's index
) (
    input  wire                                 clk,
    // init sweep
    input  wire                                 sweep,
    input  wire [              INDEX_BITS-1:0] sweep_index,
    // cycle c
    input  wire [              INDEX_BITS-1:0] read_index,
    input  wire [`MR_ROB_REQ_MESSAGE_BITS-1:0] read_message,
    // cycle c + 1
    input  wire [ `MR_ROB_REQ_LENGTH_BITS-1:0] length,
    input  wire [  `MR_ROB_REQ_BYTES_BITS-1:0] bytes,
    input  wire [ `MR_ROB_REQ_OPCODE_BITS-1:0] opcode,
    output wire                                 consistent,
    output wire                                 completes,
    input  wire                                 accept,
    input  wire                                 opens,
    // cycle c + 2
    output wire                                 first
);

  localparam LENGTH_BITS = `MR_ROB_REQ_LENGTH_BITS;
  localparam OPCODE_BITS = `MR_ROB_REQ_OPCODE_BITS;
  localparam LOG = $clog2(REORDER_DEPTH);
  localparam ENTRY_BITS = 2 * LENGTH_BITS + OPCODE_BITS;
  localparam [REORDER_DEPTH-1:0] ONE = {{(REORDER_DEPTH - 1) {1'b0}}, 1'b1};

  reg [INDEX_BITS-1:0] index_reg;
  reg [LOG-1:0] place_reg;
  reg lap_reg;
  reg [REORDER_DEPTH-1:0] mask_reg, upper_reg;

  always @(posedge clk) begin
    index_reg <= read_index;
    place_reg <= read_message[LOG-1:0];
    lap_reg   <= read_message[LOG];
    mask_reg  <= ONE << read_message[LOG-1:0];
    upper_reg <= {REORDER_DEPTH{1'b1}} << read_message[LOG-1:0];
  end

  // -------------------------------------------------------------------------------- started bits
  wire [REORDER_DEPTH-1:0] laps;
  wire started = laps[place_reg] == lap_reg;
  wire [REORDER_DEPTH-1:0] laps_opened = upper_reg ^ {REORDER_DEPTH{lap_reg}};
  wire [REORDER_DEPTH-1:0] laps_started = lap_reg ? laps | mask_reg : laps & ~mask_reg;

  mr_context_ram #(
      .WIDTH       (REORDER_DEPTH),
      .DEPTH       (CONTEXTS),
      .ADDRESS_BITS(INDEX_BITS)
  ) started_laps (
      .clk          (clk),
      .read_address (read_index),
      .read_data    (laps),
      .write_enable (sweep || opens || accept),
      .write_address(sweep ? sweep_index : index_reg),
      .write_data   (sweep ? {REORDER_DEPTH{1'b0}} : opens ? laps_opened : laps_started)
  );

  // -------------------------------------------------------------------------------- entries
  wire [LENGTH_BITS-1:0] entry_length, entry_remaining;
  wire [OPCODE_BITS-1:0] entry_opcode;
  wire [LENGTH_BITS:0] wide_bytes = {{(LENGTH_BITS + 1 - `MR_ROB_REQ_BYTES_BITS) {1'b0}}, bytes};
  wire [LENGTH_BITS:0] left_started = {1'b0, entry_remaining} - wide_bytes;
  wire [LENGTH_BITS:0] left_first = {1'b0, length} - wide_bytes;
  wire same = entry_length == length && entry_opcode == opcode;

  mr_context_ram #(
      .WIDTH       (ENTRY_BITS),
      .DEPTH       (CONTEXTS * REORDER_DEPTH),
      .ADDRESS_BITS(INDEX_BITS + LOG)
  ) entries (
      .clk          (clk),
      .read_address ({read_index, read_message[LOG-1:0]}),
      .read_data    ({entry_length, entry_opcode, entry_remaining}),
      .write_enable (accept),
      .write_address({index_reg, place_reg}),
      .write_data   ({length, opcode, started ? left_started[LENGTH_BITS-1:0] : left_first[LENGTH_BITS-1:0]})
  );

  assign consistent = started ? same && !left_started[LENGTH_BITS] : !left_first[LENGTH_BITS];
  assign completes  = started ? left_started[LENGTH_BITS-1:0] == {LENGTH_BITS{1'b0}} :
                                left_first[LENGTH_BITS-1:0] == {LENGTH_BITS{1'b0}};

  reg first_reg;

  always @(posedge clk) first_reg <= accept && !started;

  assign first = first_reg;

  wire unused = &{1'b0, read_message[`MR_ROB_REQ_MESSAGE_BITS-1:LOG+1]};

endmodule

`default_nettype wire
