// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rate_open: which connections and paths are open (spec: rate.open, rate.closed).
 *
 * Stage 3 of mr_rate; the read addresses come a clock earlier. From here on an operation is one of four flags, all of
 * which are low if it has no context to act on. The flags of one operation reach the outputs a clock after its stage.
 * This is the only state of the unit that is swept after reset: OPEN writes everything else.
 */
module mr_rate_open #(
    // contexts
    parameter CONNECTIONS = 4,
    parameter PATH_CONTEXTS = 16,
    // bits of their indexes
    parameter CONNECTION_BITS = 2,
    parameter PATH_BITS = 4
) (
    input  wire                       clk,
    input  wire                       rst,

    // sweep: closes one connection and one path a clock
    input  wire                       sweep,
    input  wire [CONNECTION_BITS-1:0] sweep_connection,
    input  wire [      PATH_BITS-1:0] sweep_path,

    // indexes of the operation that is in this stage in the next clock
    input  wire [CONNECTION_BITS-1:0] read_connection,
    input  wire [      PATH_BITS-1:0] read_path,

    // operation in this stage
    input  wire                       valid,
    input  wire [                1:0] op,
    input  wire                       connection_known,
    // the path too
    input  wire                       pair_known,
    input  wire [CONNECTION_BITS-1:0] connection_index,
    input  wire [      PATH_BITS-1:0] path_index,
    input  wire                       loss_is_congestion,

    // the operation to carry out; loss_marks: a loss counts as a marked packet on its connection
    output wire                       open_connection,
    output wire                       open_path,
    output wire                       ack,
    output wire                       send,
    output wire                       loss_marks
);

  reg  open_connection_reg;
  reg  open_path_reg;
  reg  ack_reg;
  reg  send_reg;
  reg  loss_marks_reg;

  wire connection_is_open;
  wire connection_loss;
  wire path_is_open;

  wire do_open_connection = valid && op == `MR_RATE_OP_OPEN_CONNECTION && connection_known;
  wire do_open_path = valid && op == `MR_RATE_OP_OPEN_PATH && pair_known;
  wire usable = valid && pair_known && connection_is_open && path_is_open;

  assign open_connection = open_connection_reg;
  assign open_path       = open_path_reg;
  assign ack             = ack_reg;
  assign send            = send_reg;
  assign loss_marks      = loss_marks_reg;

  mr_context_ram #(
    .WIDTH(2),
    .DEPTH(CONNECTIONS),
    .ADDRESS_BITS(CONNECTION_BITS)
  ) connections (
    .clk(clk),
    .read_address(read_connection),
    .read_data({connection_is_open, connection_loss}),
    .write_enable(sweep || do_open_connection),
    .write_address(sweep ? sweep_connection : connection_index),
    .write_data(sweep ? 2'b00 : {1'b1, loss_is_congestion})
  );

  mr_context_ram #(
    .WIDTH(1),
    .DEPTH(PATH_CONTEXTS),
    .ADDRESS_BITS(PATH_BITS)
  ) paths (
    .clk(clk),
    .read_address(read_path),
    .read_data(path_is_open),
    .write_enable(sweep || do_open_path),
    .write_address(sweep ? sweep_path : path_index),
    .write_data(!sweep)
  );

  always @(posedge clk) begin
    open_connection_reg <= do_open_connection;
    open_path_reg       <= do_open_path;
    ack_reg             <= usable && op == `MR_RATE_OP_ACK;
    send_reg            <= usable && op == `MR_RATE_OP_SEND;
    loss_marks_reg      <= connection_loss;
    if (rst) begin
      open_connection_reg <= 1'b0;
      open_path_reg       <= 1'b0;
      ack_reg             <= 1'b0;
      send_reg            <= 1'b0;
    end
  end

endmodule

`default_nettype wire
