/**
 * A finished text in pieces to send: sentences, list items and lines, each with the space and the citation marks behind it.
 * Joined they are the text; none ends within a surrogate pair.
 */
export function textPieces(text: string): string[] {
  return text.match(/[^\n。！？.!?]+(?:[\n。！？.!?]+(?:\[\d+\])*\s*)?|[\n。！？.!?]+(?:\[\d+\])*\s*/g) ?? [];
}
