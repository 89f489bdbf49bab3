`timescale 1ns/1ps
module leaf(input wire clk, input wire rst, input wire [7:0] \esc[3].x , output reg [39:0] wide, output reg q);
  reg [3:0] mem [0:3];
  real r; integer i; genvar g;
  reg [0:7] up;
  always @(posedge clk) begin
    if (rst) begin wide <= 0; q <= 0; r = 0.5; i = 0; up <= 8'h01; end
    else begin wide <= {wide[31:0], \esc[3].x }; q <= ~q; r = r + 1.25; i = i + 1; up <= {up[1:7], up[0]}; mem[0] <= up[0:3]; end
  end
endmodule
module top;
  reg clk = 0, rst = 1; reg [7:0] d = 8'bx; wire [39:0] w; wire q; wire z; tri [3:0] tz = 4'bzz01;
  leaf \u.leaf (.clk(clk), .rst(rst), .\esc[3].x (d), .wide(w), .q(q));
  initial begin : dumper
    $dumpfile("ic.vcd"); $dumpvars(0, top);
    #2 d = 1; #10 rst = 0; #6 d = 8'h80; #10 $dumpoff; #7 $dumpon; #4 $dumpall; #10 $finish; end
  always #2 clk = ~clk;
endmodule
