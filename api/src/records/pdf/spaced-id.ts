/** A mobile number in groups, 138 0013 8000; any other id unchanged. */
export function spacedId(id: string): string {
  return /^1\d{10}$/.test(id) ? `${id.slice(0, 3)} ${id.slice(3, 7)} ${id.slice(7)}` : id;
}
