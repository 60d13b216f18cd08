/** Size of the scale at the beginning of a packed vector, in bytes. */
export const scaleBytes = 4;

/** Quantises a vector to int8, preceded by the scale (32-bit float, little-endian). */
export function packVector(vector: Float32Array): Buffer {
  let largest = 0;
  for (const one of vector) largest = Math.max(largest, Math.abs(one));
  const scale = largest / 127 || 1;
  const bytes = Buffer.alloc(scaleBytes + vector.length);
  bytes.writeFloatLE(scale, 0);
  for (const [at, one] of vector.entries()) bytes.writeInt8(Math.round(one / scale), scaleBytes + at);
  return bytes;
}

/** Cosine of a unit vector and a packed one; null if their dimensions differ. */
export function cosineOf(vector: Float32Array, packed: Uint8Array): number | null {
  if (packed.length !== vector.length + scaleBytes) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const scale = view.getFloat32(0, true);
  const numbers = new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, vector.length);
  let sum = 0;
  for (let at = 0; at < numbers.length; at += 1) sum += vector[at]! * numbers[at]!;
  return sum * scale;
}
