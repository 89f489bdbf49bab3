// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"
`include "mr_config.vh"

/*
 * mr_rx_tb: plays configuration and beats from two files into mr_rx and prints what comes out; mr_rx_tb.py writes the files
 * and judges the output.
 *
 * Plus arguments: +beats=FILE, +cfg=FILE, +beat_count=N, +cfg_count=N, +offer=K, +take=K: chances in 256 that a beat is
 * offered, that a sink is ready, in a cycle; +seed=N. All configuration goes in before the first beat. Ends when nothing has
 * happened for 2000 cycles.
 */
module mr_rx_tb;
  localparam MOST_BEATS = 65536;
  localparam MOST_CFG = 4096;
  localparam BEAT_BITS = 2 + 64 + 512;
  localparam CFG_BITS = 2 + 24 + 12 + 16 + 32 + 24 + 16 + 16 + 16;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #5 clk = !clk;

  reg [BEAT_BITS-1:0] beats[0:MOST_BEATS-1];
  reg [CFG_BITS-1:0] cfgs[0:MOST_CFG-1];
  reg [8*256-1:0] beats_file, cfg_file;
  integer beat_count, cfg_count, offer, take, seed;

  integer cycle, quiet, beat, cfg, first_beat, last_beat, k;
  reg beat_offered, place_ready, payload_ready, cqe_ready, axis_ready;
  wire beat_ready, cfg_ready;

  wire place_valid, payload_valid, payload_last, cqe_valid, axis_valid, axis_last, dbg_valid;
  wire [299:0] place;
  wire [175:0] cqe;
  wire [511:0] payload, axis;
  wire [63:0] payload_keep, axis_keep;
  wire [129:0] dbg;
  wire [32*17-1:0] counters;
  wire [127:0] identity;

  wire [BEAT_BITS-1:0] beat_now = beats[beat];
  wire [CFG_BITS-1:0] cfg_now = cfgs[cfg];
  wire cfg_offered = !rst && cfg < cfg_count;

  mr_rx dut (
      .clk(clk), .rst(rst),
      .s_axis_tvalid(beat_offered), .s_axis_tready(beat_ready), .s_axis_tdata(beat_now[511:0]),
      .s_axis_tkeep(beat_now[575:512]), .s_axis_tlast(beat_now[576]), .s_axis_tuser(beat_now[577]),
      .s_cfg_valid(cfg_offered), .s_cfg_ready(cfg_ready),
      .s_cfg_op(cfg_now[157:156]), .s_cfg_connection(cfg_now[155:132]), .s_cfg_path(cfg_now[131:120]),
      .s_cfg_stream(cfg_now[119:104]), .s_cfg_sequence(cfg_now[103:72]), .s_cfg_peer_connection(cfg_now[71:48]),
      .s_cfg_hint(cfg_now[47:32]), .s_cfg_hint_sequence(cfg_now[31:16]), .s_cfg_credit(cfg_now[15:0]),
      .m_place_valid(place_valid), .m_place_ready(place_ready), .m_place_connection(place[299:276]),
      .m_place_path(place[275:264]), .m_place_psn(place[263:232]), .m_place_stream(place[231:216]),
      .m_place_opcode(place[215:208]), .m_place_message(place[207:176]), .m_place_offset(place[175:144]),
      .m_place_bytes(place[143:128]), .m_place_address(place[127:64]), .m_place_key(place[63:32]),
      .m_place_immediate(place[31:0]),
      .m_payload_tvalid(payload_valid), .m_payload_tready(payload_ready), .m_payload_tdata(payload),
      .m_payload_tkeep(payload_keep), .m_payload_tlast(payload_last),
      .m_cqe_valid(cqe_valid), .m_cqe_ready(cqe_ready), .m_cqe_connection(cqe[175:152]), .m_cqe_stream(cqe[151:136]),
      .m_cqe_message(cqe[135:104]), .m_cqe_length(cqe[103:72]), .m_cqe_opcode(cqe[71:64]), .m_cqe_ordinal(cqe[63:32]),
      .m_cqe_immediate(cqe[31:0]),
      .m_axis_tvalid(axis_valid), .m_axis_tready(axis_ready), .m_axis_tdata(axis), .m_axis_tkeep(axis_keep),
      .m_axis_tlast(axis_last),
      .dbg_update_valid(dbg_valid), .dbg_update_connection(dbg[129:106]), .dbg_update_path(dbg[105:94]),
      .dbg_update_psn(dbg[93:62]), .dbg_update_stream(dbg[61:46]), .dbg_update_message(dbg[45:14]),
      .dbg_update_outcome(dbg[13:11]), .dbg_update_reason(dbg[10:3]), .dbg_update_class(dbg[2:0]),
      .count_frames(counters[32*16+:32]), .count_bad_frame(counters[32*15+:32]), .count_oversize(counters[32*14+:32]),
      .count_not_ours(counters[32*13+:32]), .count_length_error(counters[32*12+:32]),
      .count_checksum_error(counters[32*11+:32]), .count_crc_error(counters[32*10+:32]),
      .count_malformed(counters[32*9+:32]), .count_unknown(counters[32*8+:32]), .count_placed(counters[32*7+:32]),
      .count_repeated(counters[32*6+:32]), .count_beyond(counters[32*5+:32]), .count_refused(counters[32*4+:32]),
      .count_acks(counters[32*3+:32]), .count_rob_stale(counters[32*2+:32]),
      .count_rob_inconsistent(counters[32*1+:32]), .count_cfg_ignored(counters[0+:32]),
      .id_spec_hash(identity[127:64]), .id_crc_residue_hash(identity[63:0])
  );

  initial begin
    if (!$value$plusargs("beats=%s", beats_file) || !$value$plusargs("cfg=%s", cfg_file)
        || !$value$plusargs("beat_count=%d", beat_count) || !$value$plusargs("cfg_count=%d", cfg_count)
        || !$value$plusargs("offer=%d", offer) || !$value$plusargs("take=%d", take)
        || !$value$plusargs("seed=%d", seed)) begin
      $display("error: +beats, +cfg, +beat_count, +cfg_count, +offer, +take and +seed are needed");
      $finish;
    end
    $readmemh(beats_file, beats, 0, beat_count - 1);
    $readmemh(cfg_file, cfgs, 0, cfg_count - 1);
    {beat_offered, place_ready, payload_ready, cqe_ready, axis_ready} = 5'd0;
    {cycle, quiet, beat, cfg, first_beat, last_beat} = 0;
    repeat (4) @(posedge clk);
    #1 rst = 1'b0;
  end

  always @(negedge clk)
    if (!rst) begin
      quiet = quiet + 1;
      if (beat_offered && beat_ready) begin
        quiet = 0;
        if (beat == 0) first_beat = cycle;
        last_beat = cycle;
      end
      if (cfg_offered && cfg_ready) quiet = 0;
      if (place_valid && place_ready) begin
        $display("place %h", place);
        quiet = 0;
      end
      if (payload_valid && payload_ready) begin
        $display("payload %h %h %b", payload, payload_keep, payload_last);
        quiet = 0;
      end
      if (cqe_valid && cqe_ready) begin
        $display("cqe %h", cqe);
        quiet = 0;
      end
      if (axis_valid && axis_ready) begin
        $display("axis %h %h %b", axis, axis_keep, axis_last);
        quiet = 0;
      end
      if (dbg_valid) begin
        $display("dbg %h", {6'd0, dbg});
        quiet = 0;
      end
      if (quiet >= 2000) begin
        for (k = 16; k >= 0; k = k - 1) $display("count %0d", counters[32*k+:32]);
        $display("end %0d %0d %0d %0d", cycle, beat, first_beat, last_beat);
        $finish;
      end
    end

  // drivers: just after the rising edge
  reg beat_done, cfg_done;

  always @(posedge clk) begin
    beat_done = beat_offered && beat_ready;
    cfg_done  = cfg_offered && cfg_ready;
    #1;
    if (!rst) begin
      cycle = cycle + 1;
      if (beat_done) begin
        beat = beat + 1;
        beat_offered = 1'b0;
      end
      if (cfg_done) cfg = cfg + 1;
      if (!beat_offered) beat_offered = cfg == cfg_count && beat < beat_count && ($random(seed) & 255) < offer;
      place_ready = ($random(seed) & 255) < take;
      payload_ready = ($random(seed) & 255) < take;
      cqe_ready = ($random(seed) & 255) < take;
      axis_ready = ($random(seed) & 255) < take;
    end
  end
endmodule

`default_nettype wire
