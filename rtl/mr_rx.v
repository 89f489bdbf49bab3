// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"
`include "mr_config.vh"
`include "mr_tables.vh"

/*
 * mr_rx: receive engine: frames in; placement commands, payload, completions and ACK frames out (spec: unit rx, rules rx.*).
 *
 * Actions on FIFOs, each deciding on the state at the start of its cycle (spec: cycle.flow):
 *
 *   s_axis -> parse -> headers -> admit -> SACK unit, join FIFO -> join -> m_place
 *               |                   ^                                 |--> ACK FIFO -> builder -> m_axis
 *               v                 s_cfg                               v
 *         payload buffer ------------------------------------------> move -> m_payload, reorder buffer -> m_cqe
 *
 * Headers wait in the FIFOs, payload in its buffer, and nothing of a frame gets past the parser before its CRC is known good.
 * After reset the contexts are closed, one of each kind a clock; s_axis_tready and s_cfg_ready are low until that is done.
 */
module mr_rx #(
    parameter CONNECTIONS   = `MR_CONNECTIONS,    // at most 65536; a power of two
    parameter PATHS         = `MR_PATHS,          // of one connection, at most 4096; a power of two
    parameter STREAMS       = `MR_STREAMS,        // of one connection, at most 65536; a power of two
    parameter REORDER_DEPTH = `MR_REORDER_DEPTH,  // message entries of one stream, at most 256; a power of two
    parameter RESIDUE_FILE  = "mr_crc_residue.mem"
) (
    input  wire         clk,
    input  wire         rst,

    // network in
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    input  wire [511:0] s_axis_tdata,
    input  wire [ 63:0] s_axis_tkeep,
    input  wire         s_axis_tlast,
    input  wire         s_axis_tuser,

    // configuration
    input  wire         s_cfg_valid,
    output wire         s_cfg_ready,
    input  wire [  1:0] s_cfg_op,
    input  wire [ 23:0] s_cfg_connection,
    input  wire [ 11:0] s_cfg_path,
    input  wire [ 15:0] s_cfg_stream,
    input  wire [ 31:0] s_cfg_sequence,
    input  wire [ 23:0] s_cfg_peer_connection,
    input  wire [ 15:0] s_cfg_hint,
    input  wire [ 15:0] s_cfg_hint_sequence,
    input  wire [ 15:0] s_cfg_credit,

    // placement commands
    output wire         m_place_valid,
    input  wire         m_place_ready,
    output wire [ 23:0] m_place_connection,
    output wire [ 11:0] m_place_path,
    output wire [ 31:0] m_place_psn,
    output wire [ 15:0] m_place_stream,
    output wire [  7:0] m_place_opcode,
    output wire [ 31:0] m_place_message,
    output wire [ 31:0] m_place_offset,
    output wire [ 15:0] m_place_bytes,
    output wire [ 63:0] m_place_address,
    output wire [ 31:0] m_place_key,
    output wire [ 31:0] m_place_immediate,

    // payload
    output wire         m_payload_tvalid,
    input  wire         m_payload_tready,
    output wire [511:0] m_payload_tdata,
    output wire [ 63:0] m_payload_tkeep,
    output wire         m_payload_tlast,

    // completions
    output wire         m_cqe_valid,
    input  wire         m_cqe_ready,
    output wire [ 23:0] m_cqe_connection,
    output wire [ 15:0] m_cqe_stream,
    output wire [ 31:0] m_cqe_message,
    output wire [ 31:0] m_cqe_length,
    output wire [  7:0] m_cqe_opcode,
    output wire [ 31:0] m_cqe_ordinal,
    output wire [ 31:0] m_cqe_immediate,

    // network out
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready,
    output wire [511:0] m_axis_tdata,
    output wire [ 63:0] m_axis_tkeep,
    output wire         m_axis_tlast,

    // every join, the clock after
    output wire         dbg_update_valid,
    output wire [ 23:0] dbg_update_connection,
    output wire [ 11:0] dbg_update_path,
    output wire [ 31:0] dbg_update_psn,
    output wire [ 15:0] dbg_update_stream,
    output wire [ 31:0] dbg_update_message,
    output wire [  2:0] dbg_update_outcome,
    output wire [  7:0] dbg_update_reason,
    output wire [  2:0] dbg_update_class,

    // counters, wrapping
    output wire [ 31:0] count_frames,
    output wire [ 31:0] count_bad_frame,
    output wire [ 31:0] count_oversize,
    output wire [ 31:0] count_not_ours,
    output wire [ 31:0] count_length_error,
    output wire [ 31:0] count_checksum_error,
    output wire [ 31:0] count_crc_error,
    output wire [ 31:0] count_malformed,
    output wire [ 31:0] count_unknown,
    output wire [ 31:0] count_placed,
    output wire [ 31:0] count_repeated,
    output wire [ 31:0] count_beyond,
    output wire [ 31:0] count_refused,
    output wire [ 31:0] count_acks,
    output wire [ 31:0] count_rob_stale,
    output wire [ 31:0] count_rob_inconsistent,
    output wire [ 31:0] count_cfg_ignored,

    // identity
    output wire [ 63:0] id_spec_hash,
    output wire [ 63:0] id_crc_residue_hash
);

  localparam CONNECTION_BITS = CONNECTIONS > 1 ? $clog2(CONNECTIONS) : 1;
  localparam STREAM_BITS = CONNECTIONS * STREAMS > 1 ? $clog2(CONNECTIONS * STREAMS) : 1;
  localparam CONTEXTS = CONNECTIONS * (PATHS > STREAMS ? PATHS : STREAMS);
  localparam SWEEP_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1;
  localparam BUFFER_BITS = $clog2(`MR_RX_PAYLOAD_BUFFER_BEATS);
  localparam REPLY_BITS = 386;
  localparam HEADER_BITS = REPLY_BITS + 128 + 256;

  assign id_spec_hash = `MR_SPEC_HASH;
  assign id_crc_residue_hash = `MR_TABLE_CRC_RESIDUE_HASH;

  // ---------------------------------------------------------------- sweep, time
  wire sweep, ready_next;
  wire [SWEEP_BITS-1:0] sweep_index;
  reg [31:0] cycle_reg;

  mr_sweep #(
      .CONTEXTS  (CONTEXTS),
      .INDEX_BITS(SWEEP_BITS)
  ) closing (
      .clk       (clk),
      .rst       (rst),
      .busy      (sweep),
      .index     (sweep_index),
      .ready_next(ready_next)
  );

  always @(posedge clk) begin
    cycle_reg <= cycle_reg + 32'd1;
    if (rst) cycle_reg <= 32'd0;
  end

  // ---------------------------------------------------------------- parse
  wire header_valid, header_ready, header_ce;
  wire [REPLY_BITS-1:0] header_reply;
  wire [127:0] header_base;
  wire [255:0] header_data;
  wire write_enable;
  wire [BUFFER_BITS-1:0] write_address;
  wire [511:0] write_data;
  wire [6:0] moved;
  wire [7:0] verdict;

  mr_rx_parse #(
      .ADDRESS_BITS(BUFFER_BITS),
      .RESIDUE_FILE(RESIDUE_FILE)
  ) parse (
      .clk          (clk),
      .rst          (rst),
      .enable       (ready_next),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tuser (s_axis_tuser),
      .header_valid (header_valid),
      .header_ready (header_ready),
      .header_reply (header_reply),
      .header_ce    (header_ce),
      .header_base  (header_base),
      .header_data  (header_data),
      .write_enable (write_enable),
      .write_address(write_address),
      .write_data   (write_data),
      .moved        (moved),
      .verdict      (verdict)
  );

  // ---------------------------------------------------------------- configuration FIFO
  localparam CFG_BITS = 2 + 24 + 12 + 16 + 32 + 24 + 16 + 16 + 16;
  wire cfg_valid, cfg_ready, cfg_ignored;
  wire [1:0] cfg_op;
  wire [23:0] cfg_connection, cfg_peer_connection;
  wire [11:0] cfg_path;
  wire [15:0] cfg_stream, cfg_hint, cfg_hint_sequence, cfg_credit;
  wire [31:0] cfg_sequence;
  wire [$clog2(`MR_RX_CFG_FIFO_DEPTH + 1)-1:0] unused_cfg_count;

  mr_fifo #(
      .WIDTH(CFG_BITS),
      .DEPTH(`MR_RX_CFG_FIFO_DEPTH)
  ) cfg_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (ready_next),
      .s_valid(s_cfg_valid),
      .s_ready(s_cfg_ready),
      .s_data ({
        s_cfg_op, s_cfg_connection, s_cfg_path, s_cfg_stream, s_cfg_sequence, s_cfg_peer_connection, s_cfg_hint,
        s_cfg_hint_sequence, s_cfg_credit
      }),
      .m_valid(cfg_valid),
      .m_ready(cfg_ready),
      .m_data ({
        cfg_op, cfg_connection, cfg_path, cfg_stream, cfg_sequence, cfg_peer_connection, cfg_hint, cfg_hint_sequence,
        cfg_credit
      }),
      .count  (unused_cfg_count)
  );

  // ---------------------------------------------------------------- tables
  wire cfg_connection_known, cfg_connection_open, cfg_stream_known;
  wire open_connection, set_hint, open_stream;
  wire floor_valid;
  wire [23:0] floor_connection;
  wire [15:0] floor_stream;
  wire [31:0] floor_message;
  wire header_connection_open, header_stream_open;
  wire [31:0] header_floor;
  wire [23:0] ack_connection, table_peer_connection;
  wire [15:0] table_hint, table_hint_sequence, table_credit;

  mr_rx_tables #(
      .CONNECTIONS    (CONNECTIONS),
      .STREAMS        (STREAMS),
      .CONNECTION_BITS(CONNECTION_BITS),
      .STREAM_BITS    (STREAM_BITS)
  ) tables (
      .clk                  (clk),
      .sweep                (sweep),
      .sweep_connection     (sweep_index[CONNECTION_BITS-1:0]),
      .sweep_stream         (sweep_index[STREAM_BITS-1:0]),
      .cfg_connection       (cfg_connection),
      .cfg_stream           (cfg_stream),
      .cfg_connection_known (cfg_connection_known),
      .cfg_connection_open  (cfg_connection_open),
      .cfg_stream_known     (cfg_stream_known),
      .open_connection      (open_connection),
      .set_hint             (set_hint),
      .open_stream          (open_stream),
      .cfg_sequence         (cfg_sequence),
      .cfg_peer_connection  (cfg_peer_connection),
      .cfg_hint             (cfg_hint),
      .cfg_hint_sequence    (cfg_hint_sequence),
      .cfg_credit           (cfg_credit),
      .floor_valid          (floor_valid),
      .floor_connection     (floor_connection),
      .floor_stream         (floor_stream),
      .floor_message        (floor_message),
      .admit_connection     (header_base[127-`MR_BASE_CONNECTION_OFFSET-:24]),
      .admit_stream         (header_data[255-`MR_DATA_STREAM_OFFSET-:16]),
      .admit_connection_open(header_connection_open),
      .admit_stream_open    (header_stream_open),
      .admit_floor          (header_floor),
      .ack_connection       (ack_connection),
      .ack_peer_connection  (table_peer_connection),
      .ack_hint             (table_hint),
      .ack_hint_sequence    (table_hint_sequence),
      .ack_credit           (table_credit)
  );

  // ---------------------------------------------------------------- admit
  wire sack_req_valid, sack_req_ready, sack_req_ce, sack_req_ack_request, sack_req_tail, sack_req_refused;
  wire [1:0] sack_req_op;
  wire [23:0] sack_req_connection;
  wire [11:0] sack_req_path;
  wire [31:0] sack_req_psn;
  wire rob_req_ready, rob_quiet;
  wire admit_valid, admit_ready, admit_open, admit_unknown;
  wire [7:0] admit_reason;
  wire [REPLY_BITS-1:0] admit_reply;
  wire [127:0] admit_base;
  wire [255:0] admit_data;
  wire join_finished, rob_rsp_valid;

  mr_rx_admit #(
      .CONNECTIONS  (CONNECTIONS),
      .PATHS        (PATHS),
      .REORDER_DEPTH(REORDER_DEPTH)
  ) admission (
      .clk                   (clk),
      .rst                   (rst),
      .cfg_valid             (cfg_valid),
      .cfg_ready             (cfg_ready),
      .cfg_op                (cfg_op),
      .cfg_connection        (cfg_connection),
      .cfg_path              (cfg_path),
      .cfg_sequence          (cfg_sequence),
      .cfg_ignored           (cfg_ignored),
      .header_valid          (header_valid),
      .header_ready          (header_ready),
      .header_reply          (header_reply),
      .header_ce             (header_ce),
      .header_base           (header_base),
      .header_data           (header_data),
      .cfg_connection_known  (cfg_connection_known),
      .cfg_connection_open   (cfg_connection_open),
      .cfg_stream_known      (cfg_stream_known),
      .open_connection       (open_connection),
      .set_hint              (set_hint),
      .open_stream           (open_stream),
      .header_connection_open(header_connection_open),
      .header_stream_open    (header_stream_open),
      .header_floor          (header_floor),
      .sack_valid            (sack_req_valid),
      .sack_ready            (sack_req_ready),
      .sack_op               (sack_req_op),
      .sack_connection       (sack_req_connection),
      .sack_path             (sack_req_path),
      .sack_psn              (sack_req_psn),
      .sack_ce               (sack_req_ce),
      .sack_ack_request      (sack_req_ack_request),
      .sack_tail             (sack_req_tail),
      .sack_refused          (sack_req_refused),
      .rob_ready             (rob_req_ready),
      .rob_quiet             (rob_quiet),
      .join_valid            (admit_valid),
      .join_ready            (admit_ready),
      .join_open             (admit_open),
      .join_unknown          (admit_unknown),
      .join_reason           (admit_reason),
      .join_reply            (admit_reply),
      .join_base             (admit_base),
      .join_data             (admit_data),
      .join_finished         (join_finished),
      .rob_finished          (rob_rsp_valid)
  );

  // ---------------------------------------------------------------- SACK unit
  wire sack_rsp_valid, sack_rsp_ready, sack_rsp_ack_now;
  wire [1:0] unused_sack_op;
  wire [23:0] unused_sack_connection;
  wire [11:0] unused_sack_path;
  wire [31:0] unused_sack_psn, unused_sack_next;
  wire [2:0] sack_rsp_class;
  wire [31:0] sack_rsp_cumulative, sack_rsp_received, sack_rsp_ce_marked;
  wire [255:0] sack_rsp_vector;
  wire [1+24+12+32+3+32+32-1:0] unused_sack_dbg;
  wire [7*32+64-1:0] unused_sack_counts;

  mr_sack #(
      .CONNECTIONS(CONNECTIONS),
      .PATHS      (PATHS)
  ) sack (
      .clk                   (clk),
      .rst                   (rst),
      .s_req_valid           (sack_req_valid),
      .s_req_ready           (sack_req_ready),
      .s_req_op              (sack_req_op),
      .s_req_connection      (sack_req_connection),
      .s_req_path            (sack_req_path),
      .s_req_psn             (sack_req_psn),
      .s_req_ce              (sack_req_ce),
      .s_req_ack_request     (sack_req_ack_request),
      .s_req_tail            (sack_req_tail),
      .s_req_refused         (sack_req_refused),
      .m_rsp_valid           (sack_rsp_valid),
      .m_rsp_ready           (sack_rsp_ready),
      .m_rsp_op              (unused_sack_op),
      .m_rsp_connection      (unused_sack_connection),
      .m_rsp_path            (unused_sack_path),
      .m_rsp_psn             (unused_sack_psn),
      .m_rsp_class           (sack_rsp_class),
      .m_rsp_ack_now         (sack_rsp_ack_now),
      .m_rsp_cumulative      (sack_rsp_cumulative),
      .m_rsp_next            (unused_sack_next),
      .m_rsp_received        (sack_rsp_received),
      .m_rsp_ce_marked       (sack_rsp_ce_marked),
      .m_rsp_vector          (sack_rsp_vector),
      .dbg_update_valid      (unused_sack_dbg[0]),
      .dbg_update_connection (unused_sack_dbg[1+:24]),
      .dbg_update_path       (unused_sack_dbg[25+:12]),
      .dbg_update_psn        (unused_sack_dbg[37+:32]),
      .dbg_update_class      (unused_sack_dbg[69+:3]),
      .dbg_update_cumulative (unused_sack_dbg[72+:32]),
      .dbg_update_next       (unused_sack_dbg[104+:32]),
      .count_new_in_order    (unused_sack_counts[0+:32]),
      .count_new_out_of_order(unused_sack_counts[32+:32]),
      .count_duplicate       (unused_sack_counts[64+:32]),
      .count_old             (unused_sack_counts[96+:32]),
      .count_beyond          (unused_sack_counts[128+:32]),
      .count_closed          (unused_sack_counts[160+:32]),
      .count_refused         (unused_sack_counts[192+:32]),
      .id_spec_hash          (unused_sack_counts[224+:64])
  );

  // ---------------------------------------------------------------- join
  wire join_valid, join_ready, join_open, join_unknown;
  wire [7:0] join_reason;
  wire [31:0] join_arrival;
  wire [REPLY_BITS-1:0] join_reply;
  wire [127:0] join_base;
  wire [255:0] join_data;
  wire [$clog2(`MR_RX_JOIN_FIFO_DEPTH + 1)-1:0] unused_join_count;
  wire place_valid, place_ready, move_valid, move_ready, move_discard, ack_valid, ack_ready;
  wire [15:0] ack_flags;
  wire placed, repeated, beyond, refused, unknown;

  mr_fifo #(
      .WIDTH(2 + 8 + 32 + HEADER_BITS),
      .DEPTH(`MR_RX_JOIN_FIFO_DEPTH)
  ) join_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(admit_valid),
      .s_ready(admit_ready),
      .s_data ({admit_open, admit_unknown, admit_reason, cycle_reg, admit_reply, admit_base, admit_data}),
      .m_valid(join_valid),
      .m_ready(join_ready),
      .m_data ({join_open, join_unknown, join_reason, join_arrival, join_reply, join_base, join_data}),
      .count  (unused_join_count)
  );

  mr_rx_join decide (
      .clk                  (clk),
      .rst                  (rst),
      .join_valid           (join_valid),
      .join_ready           (join_ready),
      .join_open            (join_open),
      .join_unknown         (join_unknown),
      .join_reason          (join_reason),
      .join_base            (join_base),
      .join_data            (join_data),
      .sack_valid           (sack_rsp_valid),
      .sack_ready           (sack_rsp_ready),
      .sack_class           (sack_rsp_class),
      .sack_ack_now         (sack_rsp_ack_now),
      .place_ready          (place_ready),
      .place_valid          (place_valid),
      .move_ready           (move_ready),
      .move_valid           (move_valid),
      .move_discard         (move_discard),
      .ack_ready            (ack_ready),
      .ack_valid            (ack_valid),
      .ack_flags            (ack_flags),
      .finished             (join_finished),
      .placed               (placed),
      .repeated             (repeated),
      .beyond               (beyond),
      .refused              (refused),
      .unknown              (unknown),
      .dbg_update_valid     (dbg_update_valid),
      .dbg_update_connection(dbg_update_connection),
      .dbg_update_path      (dbg_update_path),
      .dbg_update_psn       (dbg_update_psn),
      .dbg_update_stream    (dbg_update_stream),
      .dbg_update_message   (dbg_update_message),
      .dbg_update_outcome   (dbg_update_outcome),
      .dbg_update_reason    (dbg_update_reason),
      .dbg_update_class     (dbg_update_class)
  );

  // fields of the entry that is decided
  wire [23:0] connection = join_base[127-`MR_BASE_CONNECTION_OFFSET-:24];
  wire [11:0] path = join_base[127-`MR_BASE_PATH_OFFSET-:12];
  wire [3:0] epoch = join_base[127-`MR_BASE_EPOCH_OFFSET-:4];
  wire [7:0] opcode = join_base[127-`MR_BASE_OPCODE_OFFSET-:8];
  wire [31:0] psn = join_base[127-`MR_BASE_PSN_OFFSET-:32];
  wire [31:0] stamp = join_base[127-`MR_BASE_STAMP_OFFSET-:32];
  wire [15:0] stream = join_data[255-`MR_DATA_STREAM_OFFSET-:16];
  wire [15:0] bytes = join_data[255-`MR_DATA_PAYLOAD_LENGTH_OFFSET-:16];
  wire [31:0] message = join_data[255-`MR_DATA_MESSAGE_OFFSET-:32];
  wire [31:0] message_bytes = join_data[255-`MR_DATA_MESSAGE_LENGTH_OFFSET-:32];
  wire [31:0] offset = join_data[255-`MR_DATA_OFFSET_OFFSET-:32];
  wire [63:0] address = join_data[255-`MR_DATA_ADDRESS_OFFSET-:64];
  wire [31:0] key = join_data[255-`MR_DATA_KEY_OFFSET-:32];
  wire [31:0] immediate = join_data[255-`MR_DATA_IMMEDIATE_OFFSET-:32];
  wire is_send = opcode == `MR_OPCODE_SEND || opcode == `MR_OPCODE_SEND_IMM;

  // ---------------------------------------------------------------- place
  localparam PLACE_BITS = 24 + 12 + 32 + 16 + 8 + 32 + 32 + 16 + 64 + 32 + 32;
  wire [$clog2(`MR_RX_PLACE_FIFO_DEPTH + 1)-1:0] unused_place_count;

  mr_fifo #(
      .WIDTH(PLACE_BITS),
      .DEPTH(`MR_RX_PLACE_FIFO_DEPTH)
  ) place_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(place_valid),
      .s_ready(place_ready),
      .s_data ({connection, path, psn, stream, opcode, message, offset, bytes, address, key, immediate}),
      .m_valid(m_place_valid),
      .m_ready(m_place_ready),
      .m_data ({
        m_place_connection, m_place_path, m_place_psn, m_place_stream, m_place_opcode, m_place_message, m_place_offset,
        m_place_bytes, m_place_address, m_place_key, m_place_immediate
      }),
      .count  (unused_place_count)
  );

  // ---------------------------------------------------------------- move
  localparam MOVE_BITS = 1 + 24 + 16 + 32 + 32 + 16 + 8 + 32 + 32;
  wire moving_valid, moving_ready, moving_discard;
  wire [23:0] moving_connection;
  wire [15:0] moving_stream, moving_bytes;
  wire [31:0] moving_message, moving_message_bytes, moving_ordinal, moving_immediate;
  wire [7:0] moving_opcode;
  wire [$clog2(`MR_RX_MOVE_FIFO_DEPTH + 1)-1:0] unused_move_count;
  wire payload_valid, payload_ready, payload_last;
  wire [511:0] payload_data;
  wire [63:0] payload_keep;
  wire [$clog2(`MR_RX_PAYLOAD_FIFO_DEPTH + 1)-1:0] unused_payload_count;
  wire rob_packet;

  mr_fifo #(
      .WIDTH(MOVE_BITS),
      .DEPTH(`MR_RX_MOVE_FIFO_DEPTH)
  ) move_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(move_valid),
      .s_ready(move_ready),
      .s_data ({
        move_discard, connection, stream, message, message_bytes, bytes, opcode, is_send ? key : 32'd0, immediate
      }),
      .m_valid(moving_valid),
      .m_ready(moving_ready),
      .m_data ({
        moving_discard, moving_connection, moving_stream, moving_message, moving_message_bytes, moving_bytes, moving_opcode,
        moving_ordinal, moving_immediate
      }),
      .count  (unused_move_count)
  );

  mr_rx_move #(
      .ADDRESS_BITS(BUFFER_BITS)
  ) mover (
      .clk          (clk),
      .rst          (rst),
      .write_enable (write_enable),
      .write_address(write_address),
      .write_data   (write_data),
      .move_valid   (moving_valid),
      .move_ready   (moving_ready),
      .move_discard (moving_discard),
      .move_bytes   (moving_bytes),
      .payload_valid(payload_valid),
      .payload_ready(payload_ready),
      .payload_data (payload_data),
      .payload_keep (payload_keep),
      .payload_last (payload_last),
      .rob_valid    (rob_packet),
      .rob_ready    (rob_req_ready),
      .moved        (moved)
  );

  mr_fifo #(
      .WIDTH(512 + 64 + 1),
      .DEPTH(`MR_RX_PAYLOAD_FIFO_DEPTH)
  ) payload_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(payload_valid),
      .s_ready(payload_ready),
      .s_data ({payload_data, payload_keep, payload_last}),
      .m_valid(m_payload_tvalid),
      .m_ready(m_payload_tready),
      .m_data ({m_payload_tdata, m_payload_tkeep, m_payload_tlast}),
      .count  (unused_payload_count)
  );

  // ---------------------------------------------------------------- reorder buffer
  // An open and a packet never come together: opens wait until nothing is inside.
  wire [2:0] rob_rsp_verdict;
  wire [1:0] unused_rob_op;
  wire [23:0] unused_rob_connection;
  wire [15:0] unused_rob_stream, unused_rob_retired;
  wire [31:0] unused_rob_message;
  wire [1+24+16+32+3+32-1:0] unused_rob_dbg;
  wire [7*32+64-1:0] unused_rob_counts;

  mr_rob #(
      .CONNECTIONS  (CONNECTIONS),
      .STREAMS      (STREAMS),
      .REORDER_DEPTH(REORDER_DEPTH)
  ) rob (
      .clk                  (clk),
      .rst                  (rst),
      .s_req_valid          (open_stream || rob_packet),
      .s_req_ready          (rob_req_ready),
      .s_req_op             (open_stream ? `MR_ROB_OP_OPEN : `MR_ROB_OP_PACKET),
      .s_req_connection     (open_stream ? cfg_connection : moving_connection),
      .s_req_stream         (open_stream ? cfg_stream : moving_stream),
      .s_req_message        (open_stream ? cfg_sequence : moving_message),
      .s_req_length         (moving_message_bytes),
      .s_req_bytes          (moving_bytes),
      .s_req_opcode         (moving_opcode),
      .s_req_ordinal        (moving_ordinal),
      .s_req_immediate      (moving_immediate),
      .m_rsp_valid          (rob_rsp_valid),
      .m_rsp_ready          (1'b1),
      .m_rsp_op             (unused_rob_op),
      .m_rsp_connection     (unused_rob_connection),
      .m_rsp_stream         (unused_rob_stream),
      .m_rsp_message        (unused_rob_message),
      .m_rsp_verdict        (rob_rsp_verdict),
      .m_rsp_retired        (unused_rob_retired),
      .m_cqe_valid          (m_cqe_valid),
      .m_cqe_ready          (m_cqe_ready),
      .m_cqe_connection     (m_cqe_connection),
      .m_cqe_stream         (m_cqe_stream),
      .m_cqe_message        (m_cqe_message),
      .m_cqe_length         (m_cqe_length),
      .m_cqe_opcode         (m_cqe_opcode),
      .m_cqe_ordinal        (m_cqe_ordinal),
      .m_cqe_immediate      (m_cqe_immediate),
      .dbg_update_valid     (unused_rob_dbg[0]),
      .dbg_update_connection(unused_rob_dbg[1+:24]),
      .dbg_update_stream    (unused_rob_dbg[25+:16]),
      .dbg_update_message   (unused_rob_dbg[41+:32]),
      .dbg_update_verdict   (unused_rob_dbg[73+:3]),
      .dbg_update_head      (unused_rob_dbg[76+:32]),
      .dbg_floor_valid      (floor_valid),
      .dbg_floor_connection (floor_connection),
      .dbg_floor_stream     (floor_stream),
      .dbg_floor_floor      (floor_message),
      .stat_quiet           (rob_quiet),
      .count_counted        (unused_rob_counts[0+:32]),
      .count_completed      (unused_rob_counts[32+:32]),
      .count_stale          (unused_rob_counts[64+:32]),
      .count_beyond         (unused_rob_counts[96+:32]),
      .count_inconsistent   (unused_rob_counts[128+:32]),
      .count_closed         (unused_rob_counts[160+:32]),
      .count_retired        (unused_rob_counts[192+:32]),
      .id_spec_hash         (unused_rob_counts[224+:64])
  );

  // ---------------------------------------------------------------- ACK
  localparam ACK_BITS = REPLY_BITS + 12 + 4 + 24 + 32 + 32 + 16 + 32 + 32 + 32 + 32 + 256;
  wire due_valid, due_ready;
  wire [REPLY_BITS-1:0] due_reply;
  wire [11:0] due_path;
  wire [3:0] due_epoch;
  wire [31:0] due_trigger, due_stamp, due_arrival, due_cumulative, due_received, due_ce_marked;
  wire [15:0] due_flags;
  wire [255:0] due_vector;
  wire [$clog2(`MR_RX_ACK_FIFO_DEPTH + 1)-1:0] unused_ack_count;

  mr_fifo #(
      .WIDTH(ACK_BITS),
      .DEPTH(`MR_RX_ACK_FIFO_DEPTH)
  ) ack_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(ack_valid),
      .s_ready(ack_ready),
      .s_data ({
        join_reply, path, epoch, connection, psn, stamp, ack_flags, join_arrival, sack_rsp_cumulative, sack_rsp_received,
        sack_rsp_ce_marked, sack_rsp_vector
      }),
      .m_valid(due_valid),
      .m_ready(due_ready),
      .m_data ({
        due_reply, due_path, due_epoch, ack_connection, due_trigger, due_stamp, due_flags, due_arrival, due_cumulative,
        due_received, due_ce_marked, due_vector
      }),
      .count  (unused_ack_count)
  );

  mr_rx_ack builder (
      .clk                  (clk),
      .rst                  (rst),
      .ack_valid            (due_valid),
      .ack_ready            (due_ready),
      .ack_reply            (due_reply),
      .ack_path             (due_path),
      .ack_epoch            (due_epoch),
      .ack_trigger          (due_trigger),
      .ack_stamp            (due_stamp),
      .ack_flags            (due_flags),
      .ack_arrival          (due_arrival),
      .ack_cumulative       (due_cumulative),
      .ack_received         (due_received),
      .ack_ce_marked        (due_ce_marked),
      .ack_vector           (due_vector),
      .cycle                (cycle_reg),
      .table_peer_connection(table_peer_connection),
      .table_hint           (table_hint),
      .table_hint_sequence  (table_hint_sequence),
      .table_credit         (table_credit),
      .m_axis_tvalid        (m_axis_tvalid),
      .m_axis_tready        (m_axis_tready),
      .m_axis_tdata         (m_axis_tdata),
      .m_axis_tkeep         (m_axis_tkeep),
      .m_axis_tlast         (m_axis_tlast)
  );

  // ---------------------------------------------------------------- counters
  wire rob_stale = rob_rsp_valid
      && (rob_rsp_verdict == `MR_ROB_VERDICT_STALE || rob_rsp_verdict == `MR_ROB_VERDICT_BEYOND);
  wire rob_inconsistent = rob_rsp_valid && rob_rsp_verdict == `MR_ROB_VERDICT_INCONSISTENT;

  mr_counter frames (.clk(clk), .rst(rst), .event_in(verdict[0]), .count(count_frames));
  mr_counter bad_frames (.clk(clk), .rst(rst), .event_in(verdict[1]), .count(count_bad_frame));
  mr_counter oversizes (.clk(clk), .rst(rst), .event_in(verdict[2]), .count(count_oversize));
  mr_counter not_ours (.clk(clk), .rst(rst), .event_in(verdict[3]), .count(count_not_ours));
  mr_counter length_errors (.clk(clk), .rst(rst), .event_in(verdict[4]), .count(count_length_error));
  mr_counter checksum_errors (.clk(clk), .rst(rst), .event_in(verdict[5]), .count(count_checksum_error));
  mr_counter crc_errors (.clk(clk), .rst(rst), .event_in(verdict[6]), .count(count_crc_error));
  mr_counter malformed (.clk(clk), .rst(rst), .event_in(verdict[7]), .count(count_malformed));
  mr_counter unknowns (.clk(clk), .rst(rst), .event_in(unknown), .count(count_unknown));
  mr_counter placements (.clk(clk), .rst(rst), .event_in(placed), .count(count_placed));
  mr_counter repeats (.clk(clk), .rst(rst), .event_in(repeated), .count(count_repeated));
  mr_counter beyonds (.clk(clk), .rst(rst), .event_in(beyond), .count(count_beyond));
  mr_counter refusals (.clk(clk), .rst(rst), .event_in(refused), .count(count_refused));
  mr_counter acks (.clk(clk), .rst(rst), .event_in(due_valid && due_ready), .count(count_acks));
  mr_counter rob_stales (.clk(clk), .rst(rst), .event_in(rob_stale), .count(count_rob_stale));
  mr_counter rob_inconsistents (.clk(clk), .rst(rst), .event_in(rob_inconsistent), .count(count_rob_inconsistent));
  mr_counter cfg_ignorings (.clk(clk), .rst(rst), .event_in(cfg_ignored), .count(count_cfg_ignored));

  wire unused = &{
    1'b0, unused_cfg_count, unused_sack_op, unused_sack_connection, unused_sack_path, unused_sack_psn, unused_sack_next,
    unused_sack_dbg, unused_sack_counts, unused_join_count, unused_place_count, unused_move_count, unused_payload_count,
    unused_rob_op, unused_rob_connection, unused_rob_stream, unused_rob_retired, unused_rob_message, unused_rob_dbg,
    unused_rob_counts, unused_ack_count, join_base, sweep_index
  };

endmodule

`default_nettype wire
