import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const PAGES_A_READ = 256;

/**
 * Overwrites the unallocated space of pages with zeros, in the file itself. SQLite's `secure_delete` overwrites deleted cells and freed pages.
 * When it splits or merges pages, however, it moves cells to another page and leaves their old bytes in unallocated space; deleting such a cell
 * later overwrites only its new place. So purged content could still be read in the file.
 *
 * No checkpoint may run at the same time.
 * Source of the layout: sqlite.org/fileformat2.html, "B-tree Pages" and "The Write-Ahead Log".
 * @param fd the data file, open for reading and writing. It must not be closed while SQLite has the file open: POSIX releases all locks
 *   of a process on a file when the process closes any descriptor of it.
 */
export function createScrubber(fd: number) {
  const header = Buffer.alloc(FILE_HEADER);
  readSync(fd, header, 0, FILE_HEADER, 0);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const usable = pageSize - header.readUInt8(20);
  const zeros = Buffer.alloc(pageSize);
  const read = Buffer.alloc(PAGES_A_READ * pageSize);

  const scrub = (first: number, count: number) => {
    const bytes = readSync(fd, read, 0, count * pageSize, (first - 1) * pageSize);
    for (let i = 0; (i + 1) * pageSize <= bytes; i++) {
      const start = (first - 1 + i) * pageSize;
      const page = read.subarray(i * pageSize, (i + 1) * pageSize);
      const gap = gapOf(page, usable, start === 0 ? FILE_HEADER : 0);
      if (!gap || isZero(page, zeros, gap)) continue;
      writeSync(fd, zeros, 0, gap.to - gap.from, start + gap.from);
    }
  };

  return {
    all(): void {
      const count = Math.floor(fstatSync(fd).size / pageSize);
      for (let first = 1; first <= count; first += PAGES_A_READ)
        scrub(first, Math.min(PAGES_A_READ, count - first + 1));
    },
    pages(numbers: Iterable<number>): void {
      for (const number of numbers) scrub(number, 1);
    },
    sync: (): void => fdatasyncSync(fd),
  };
}

const FILE_HEADER = 100;

/** The first byte of interior and leaf pages of indexes and tables. Other pages begin with a page number, whose first byte is 0 in files of this size. */
const INTERIOR = [2, 5];
const LEAF = [10, 13];

interface Gap {
  from: number;
  to: number;
}

/** The space between the last cell pointer and the first cell; undefined if there is none or the page is of another kind. */
function gapOf(page: Buffer, usable: number, at: number): Gap | undefined {
  const kind = page[at] as number;
  const isInterior = INTERIOR.includes(kind);
  if (!isInterior && !LEAF.includes(kind)) return undefined;
  const from = at + (isInterior ? 12 : 8) + 2 * page.readUInt16BE(at + 3);
  const to = page.readUInt16BE(at + 5) || 65_536;
  return from < to && to <= usable ? { from, to } : undefined;
}

const isZero = (page: Buffer, zeros: Buffer, { from, to }: Gap) =>
  page.compare(zeros, 0, to - from, from, to) === 0;

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/** How far a WAL has been checkpointed and scrubbed. */
export interface Scrubbed {
  /** The salts of the WAL's header, which change each time SQLite starts it again from its beginning. */
  wal: string;
  frames: number;
}

/** The numbers of the pages in the WAL of a file after the frames that `scrubbed` covers. */
export function pagesInWal(file: string, scrubbed?: Scrubbed): { wal: string; pages: Set<number> } {
  const fd = openSync(`${file}-wal`, 'r');
  try {
    const pages = new Set<number>();
    const header = Buffer.alloc(WAL_HEADER);
    if (readSync(fd, header, 0, WAL_HEADER, 0) < WAL_HEADER) return { wal: '', pages };
    const salts = header.subarray(16, 24);
    const wal = salts.toString('hex');
    const size = FRAME_HEADER + header.readUInt32BE(8);
    const frame = Buffer.alloc(FRAME_HEADER);
    const first = scrubbed?.wal === wal ? scrubbed.frames : 0;
    for (
      let at = WAL_HEADER + first * size;
      readSync(fd, frame, 0, FRAME_HEADER, at) === FRAME_HEADER;
      at += size
    ) {
      // The following frames belong to an earlier WAL, which was checkpointed completely before this one began.
      if (!frame.subarray(8, 16).equals(salts)) break;
      pages.add(frame.readUInt32BE(0));
    }
    return { wal, pages };
  } finally {
    closeSync(fd);
  }
}
