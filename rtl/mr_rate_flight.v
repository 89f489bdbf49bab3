// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_rate_flight: packets in flight against the windows (spec: rate.ack step 4, rate.send).
 *
 * Stage 13 of mr_rate, one clock. Path and connection share the stage, because a SEND takes from both or from neither.
 * No reset: the OPENs write the contexts.
 */
module mr_rate_flight #(
    // contexts
    parameter CONNECTIONS = 4,
    parameter PATH_CONTEXTS = 16,
    // bits of their indexes
    parameter CONNECTION_BITS = 2,
    parameter PATH_BITS = 4
) (
    input  wire                       clk,

    // indexes of the operation that is in this stage in the next clock
    input  wire [CONNECTION_BITS-1:0] read_connection,
    input  wire [      PATH_BITS-1:0] read_path,

    // operation in this stage; windows 16.8 packets
    input  wire                       open_connection,
    input  wire                       open_path,
    input  wire                       ack,
    input  wire                       send,
    input  wire [CONNECTION_BITS-1:0] connection_index,
    input  wire [      PATH_BITS-1:0] path_index,
    input  wire [               15:0] acked,
    input  wire [               23:0] path_window,
    input  wire [               23:0] connection_window,

    // after the operation
    output wire [               15:0] path_in_flight,
    output wire [               23:0] connection_in_flight,
    // outcome of a SEND, one of three
    output wire                       granted,
    output wire                       path_full,
    output wire                       connection_full
);

  wire [15:0] stored_path;
  wire [23:0] stored_connection;

  reg  [15:0] path_next, path_reg;
  reg  [23:0] connection_next, connection_reg;
  reg         granted_reg;
  reg         path_full_reg;
  reg         connection_full_reg;

  wire        path_is_full = stored_path >= path_window[23:8];
  wire        connection_is_full = stored_connection >= {8'd0, connection_window[23:8]};
  wire        grant = send && !path_is_full && !connection_is_full;
  // only whole packets of a window count
  wire        unused = &{1'b0, path_window[7:0], connection_window[7:0]};

  assign path_in_flight       = path_reg;
  assign connection_in_flight = connection_reg;
  assign granted              = granted_reg;
  assign path_full            = path_full_reg;
  assign connection_full      = connection_full_reg;

  mr_context_ram #(
    .WIDTH(16),
    .DEPTH(PATH_CONTEXTS),
    .ADDRESS_BITS(PATH_BITS)
  ) paths (
    .clk(clk),
    .read_address(read_path),
    .read_data(stored_path),
    .write_enable(open_path || ack || grant),
    .write_address(path_index),
    .write_data(path_next)
  );

  mr_context_ram #(
    .WIDTH(24),
    .DEPTH(CONNECTIONS),
    .ADDRESS_BITS(CONNECTION_BITS)
  ) connections (
    .clk(clk),
    .read_address(read_connection),
    .read_data(stored_connection),
    .write_enable(open_connection || ack || grant),
    .write_address(connection_index),
    .write_data(connection_next)
  );

  always @* begin
    path_next       = stored_path;
    connection_next = stored_connection;
    if (open_path) path_next = 16'd0;
    if (open_connection) connection_next = 24'd0;
    if (ack) begin
      path_next       = acked > stored_path ? 16'd0 : stored_path - acked;
      connection_next = {8'd0, acked} > stored_connection ? 24'd0 : stored_connection - {8'd0, acked};
    end
    if (grant) begin
      path_next       = stored_path + 16'd1;
      connection_next = stored_connection + 24'd1;
    end
  end

  always @(posedge clk) begin
    path_reg            <= path_next;
    connection_reg      <= connection_next;
    granted_reg         <= grant;
    path_full_reg       <= send && path_is_full;
    connection_full_reg <= send && !path_is_full && connection_is_full;
  end

endmodule

`default_nettype wire
