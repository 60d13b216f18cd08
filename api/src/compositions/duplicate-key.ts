/** True for MongoDB's refusal to insert a key that is already there. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 11000;
}
