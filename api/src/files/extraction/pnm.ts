/** An RGB image as PNM (P6). `paint` writes the colour of one pixel to `rgb`. */
export function toPnm(
  width: number,
  height: number,
  paint: (row: number, x: number, rgb: Uint8Array) => void,
): Buffer {
  const head = Buffer.from(`P6\n${width} ${height}\n255\n`);
  const bytes = Buffer.alloc(head.length + width * height * 3);
  head.copy(bytes);
  let at = head.length;
  for (let row = 0; row < height; row += 1) {
    for (let x = 0; x < width; x += 1) {
      paint(row, x, bytes.subarray(at, at + 3));
      at += 3;
    }
  }
  return bytes;
}
