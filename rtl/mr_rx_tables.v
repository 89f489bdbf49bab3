// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_rx_tables: connection table, stream floors and which of both are open (spec: rx.tables).
 *
 * A write in cycle t shows from t + 1. What admission and configuration ask about is read in the same cycle (distributed
 * RAM), what an ACK carries one cycle later, as it was in the cycle of its address. Only the open flags are swept.
 */
module mr_rx_tables #(
    parameter CONNECTIONS     = 4,  // power of two
    parameter STREAMS         = 2,  // of one connection, power of two
    parameter CONNECTION_BITS = 2,  // of an index; 1 for a single connection
    parameter STREAM_BITS     = 3   // of an index; 1 for a single stream
) (
    input  wire                       clk,

    // sweep: closes a connection and a stream a clock
    input  wire                       sweep,
    input  wire [CONNECTION_BITS-1:0] sweep_connection,
    input  wire [    STREAM_BITS-1:0] sweep_stream,

    // configuration: identifiers are those of its oldest operation
    input  wire [               23:0] cfg_connection,
    input  wire [               15:0] cfg_stream,
    output wire                       cfg_connection_known,  // in range
    output wire                       cfg_connection_open,   // meaningless unless known
    output wire                       cfg_stream_known,
    input  wire                       open_connection,
    input  wire                       set_hint,
    input  wire                       open_stream,
    input  wire [               31:0] cfg_sequence,
    input  wire [               23:0] cfg_peer_connection,
    input  wire [               15:0] cfg_hint,
    input  wire [               15:0] cfg_hint_sequence,
    input  wire [               15:0] cfg_credit,

    // floor of the reorder buffer; never in the cycle of open_stream, which waits until the buffer is quiet
    input  wire                       floor_valid,
    input  wire [               23:0] floor_connection,
    input  wire [               15:0] floor_stream,
    input  wire [               31:0] floor_message,

    // admission
    input  wire [               23:0] admit_connection,
    input  wire [               15:0] admit_stream,
    output wire                       admit_connection_open,
    output wire                       admit_stream_open,
    output wire [               31:0] admit_floor,

    // ACK builder: connection in one cycle, its entry in the next
    input  wire [               23:0] ack_connection,
    output wire [               23:0] ack_peer_connection,
    output wire [               15:0] ack_hint,
    output wire [               15:0] ack_hint_sequence,
    output wire [               15:0] ack_credit
);

  wire [CONNECTION_BITS-1:0] cfg_connection_index, admit_connection_index, ack_connection_index;
  wire [STREAM_BITS-1:0] cfg_stream_index, admit_stream_index, floor_index;
  wire admit_connection_known, admit_stream_known, ack_known, floor_known;
  wire admit_connection_bit, admit_stream_bit;

  mr_context_index #(
      .MAJOR_BITS(24), .MINOR_BITS(1), .MAJORS(CONNECTIONS), .MINORS(1), .INDEX_BITS(CONNECTION_BITS)
  ) cfg_connection_context (
      .major(cfg_connection), .minor(1'b0), .index(cfg_connection_index), .known(cfg_connection_known));

  mr_context_index #(
      .MAJOR_BITS(24), .MINOR_BITS(1), .MAJORS(CONNECTIONS), .MINORS(1), .INDEX_BITS(CONNECTION_BITS)
  ) admit_connection_context (
      .major(admit_connection), .minor(1'b0), .index(admit_connection_index), .known(admit_connection_known));

  mr_context_index #(
      .MAJOR_BITS(24), .MINOR_BITS(1), .MAJORS(CONNECTIONS), .MINORS(1), .INDEX_BITS(CONNECTION_BITS)
  ) ack_connection_context (
      .major(ack_connection), .minor(1'b0), .index(ack_connection_index), .known(ack_known));

  mr_context_index #(
      .MAJOR_BITS(24), .MINOR_BITS(16), .MAJORS(CONNECTIONS), .MINORS(STREAMS), .INDEX_BITS(STREAM_BITS)
  ) cfg_stream_context (
      .major(cfg_connection), .minor(cfg_stream), .index(cfg_stream_index), .known(cfg_stream_known));

  mr_context_index #(
      .MAJOR_BITS(24), .MINOR_BITS(16), .MAJORS(CONNECTIONS), .MINORS(STREAMS), .INDEX_BITS(STREAM_BITS)
  ) admit_stream_context (
      .major(admit_connection), .minor(admit_stream), .index(admit_stream_index), .known(admit_stream_known));

  mr_context_index #(
      .MAJOR_BITS(24), .MINOR_BITS(16), .MAJORS(CONNECTIONS), .MINORS(STREAMS), .INDEX_BITS(STREAM_BITS)
  ) floor_context (
      .major(floor_connection), .minor(floor_stream), .index(floor_index), .known(floor_known));

  // ---------------------------------------------------------------- open flags, one copy a reader
  wire connection_write = sweep || open_connection;
  wire [CONNECTION_BITS-1:0] connection_write_index = sweep ? sweep_connection : cfg_connection_index;

  mr_lutram #(
      .WIDTH(1), .ADDRESS_BITS(CONNECTION_BITS)
  ) cfg_open (
      .clk(clk), .write_enable(connection_write), .write_address(connection_write_index), .write_data(!sweep),
      .read_address(cfg_connection_index), .read_data(cfg_connection_open));

  mr_lutram #(
      .WIDTH(1), .ADDRESS_BITS(CONNECTION_BITS)
  ) admit_open (
      .clk(clk), .write_enable(connection_write), .write_address(connection_write_index), .write_data(!sweep),
      .read_address(admit_connection_index), .read_data(admit_connection_bit));

  mr_lutram #(
      .WIDTH(1), .ADDRESS_BITS(STREAM_BITS)
  ) stream_open (
      .clk(clk), .write_enable(sweep || open_stream), .write_address(sweep ? sweep_stream : cfg_stream_index),
      .write_data(!sweep), .read_address(admit_stream_index), .read_data(admit_stream_bit));

  assign admit_connection_open = admit_connection_known && admit_connection_bit;
  assign admit_stream_open = admit_stream_known && admit_stream_bit;

  // ---------------------------------------------------------------- floors and connection entries
  mr_lutram #(
      .WIDTH(32), .ADDRESS_BITS(STREAM_BITS)
  ) floors (
      .clk(clk), .write_enable(open_stream || floor_valid),
      .write_address(open_stream ? cfg_stream_index : floor_index),
      .write_data(open_stream ? cfg_sequence : floor_message), .read_address(admit_stream_index), .read_data(admit_floor));

  mr_ram #(
      .WIDTH(24), .ADDRESS_BITS(CONNECTION_BITS)
  ) peers (
      .clk(clk), .write_enable(open_connection), .write_address(cfg_connection_index), .write_data(cfg_peer_connection),
      .read_address(ack_connection_index), .read_data(ack_peer_connection));

  mr_ram #(
      .WIDTH(48), .ADDRESS_BITS(CONNECTION_BITS)
  ) hints (
      .clk(clk), .write_enable(open_connection || set_hint), .write_address(cfg_connection_index),
      .write_data({cfg_hint, cfg_hint_sequence, cfg_credit}), .read_address(ack_connection_index),
      .read_data({ack_hint, ack_hint_sequence, ack_credit}));

  // what is acknowledged or retired is always in range
  wire unused = &{1'b0, ack_known, floor_known};

endmodule

`default_nettype wire
