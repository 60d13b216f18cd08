/** Queue of the jobs that change an owner's records: deletions and changes of contacts run one after the other. */
export function ownerQueue(owner: string): string {
  return `records of ${owner}`;
}
