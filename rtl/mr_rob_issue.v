// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"

/*
 * Issue of the reorder buffer: credit, room for runs, and the floor of each stream (spec: rob.floor, rob.issue).
 *
 * The oldest request (present) issues when its response and its run will find room and, if it is an OPEN or a packet
 * REORDER_DEPTH or more messages from the floor of its stream, when the unit is quiet.
 *
 * occupancy is operations in flight plus runs waiting; one counter, because an operation that leaves the pipeline with a run
 * goes from the one to the other. The floor table is read in the cycle of issue (distributed RAM). It has one write port: an
 * OPEN issues only when the walker is idle, so an OPEN and a retire never write in the same cycle.
 */
module mr_rob_issue #(
    parameter REORDER_DEPTH = 16,  // messages of a ring, a power of two
    parameter INDEX_BITS    = 4    // bits of a stream's index
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // init sweep
    input  wire                                 sweep,
    input  wire [              INDEX_BITS-1:0] sweep_index,
    // oldest request
    input  wire                                 present,
    input  wire                                 opens,
    input  wire                                 known,
    input  wire [              INDEX_BITS-1:0] index,
    input  wire [`MR_ROB_REQ_MESSAGE_BITS-1:0] message,
    output wire                                 issue,
    // progress of earlier ones
    input  wire                                 response_taken,
    input  wire                                 finished,        // leaves the pipeline
    input  wire                                 finished_run,    // with a run
    input  wire                                 run_taken,       // the walker takes a run
    input  wire                                 walker_idle,
    input  wire                                 retire,
    input  wire [              INDEX_BITS-1:0] retire_index,
    input  wire [`MR_ROB_REQ_MESSAGE_BITS-1:0] retire_floor,
    output wire                                 quiet
);

  localparam MESSAGE_BITS = `MR_ROB_REQ_MESSAGE_BITS;
  localparam LOG = $clog2(REORDER_DEPTH);
  localparam BITS = $clog2(`MR_ROB_RUN_FIFO_DEPTH + 1);
  localparam [31:0] RUN_FIFO_DEPTH = `MR_ROB_RUN_FIFO_DEPTH;
  localparam [BITS-1:0] FULL = RUN_FIFO_DEPTH[BITS-1:0];

  // -------------------------------------------------------------------------------- occupancy
  reg [BITS-1:0] occupancy_reg;
  reg room_reg;
  wire one_less = finished && !finished_run;
  wire [BITS-1:0] occupancy_next = occupancy_reg + {{(BITS - 1) {1'b0}}, issue} - {{(BITS - 1) {1'b0}}, one_less} -
      {{(BITS - 1) {1'b0}}, run_taken};

  always @(posedge clk) begin
    occupancy_reg <= occupancy_next;
    room_reg <= occupancy_next != FULL;
    if (rst) begin
      occupancy_reg <= {BITS{1'b0}};
      room_reg <= 1'b1;
    end
  end

  assign quiet = occupancy_reg == {BITS{1'b0}} && walker_idle;

  // -------------------------------------------------------------------------------- floors
  wire floor_open;
  wire [MESSAGE_BITS-1:0] floor;
  wire write_open = issue && opens && known;
  reg [INDEX_BITS-1:0] write_index;
  reg [MESSAGE_BITS:0] write_data;

  always @* begin
    write_index = index;
    write_data  = {1'b1, message};
    if (sweep) begin
      write_index = sweep_index;
      write_data  = {(MESSAGE_BITS + 1) {1'b0}};
    end else if (retire) begin
      write_index = retire_index;
      write_data  = {1'b1, retire_floor};
    end
  end

  mr_lutram #(
      .WIDTH       (MESSAGE_BITS + 1),
      .ADDRESS_BITS(INDEX_BITS)
  ) floors (
      .clk          (clk),
      .write_enable (sweep || retire || write_open),
      .write_address(write_index),
      .write_data   (write_data),
      .read_address (index),
      .read_data    ({floor_open, floor})
  );

  // -------------------------------------------------------------------------------- issue
  wire [MESSAGE_BITS-1:0] distance;
  wire is_before;
  wire outside = known && floor_open && !is_before && distance[MESSAGE_BITS-1:LOG] != {(MESSAGE_BITS - LOG) {1'b0}};

  mr_seq_before #(
      .WIDTH(MESSAGE_BITS)
  ) compare_floor (
      .a        (message),
      .b        (floor),
      .distance (distance),
      .is_before(is_before)
  );

  mr_issue #(
      .CREDITS(`MR_ROB_OUTPUT_FIFO_DEPTH)
  ) credit (
      .clk    (clk),
      .rst    (rst),
      .present(present),
      .allow  (room_reg && (quiet || !(opens || outside))),
      .taken  (response_taken),
      .issue  (issue)
  );

  wire unused = &{1'b0, distance[LOG-1:0], RUN_FIFO_DEPTH[31:BITS]};

`ifdef FORMAL
  // 1. An OPEN and the walker never write the floor table together.
  always @(posedge clk) if (!rst) assert (!(retire && write_open));
`endif

endmodule

`default_nettype wire
