import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * SQLite's `secure_delete` overwrites every cell that is deleted and every page that is freed. But where it splits or merges pages, cells
 * move to a neighbour and their old bytes stay behind in what is then the page's unallocated space; deleting the cell later overwrites
 * it where it is, not where it was. So what a purge has deleted may still be read there. These functions fill that space with zeros, in
 * the file itself: the bytes belong to nothing.
 *
 * While they run, nobody else may fold the WAL into the file.
 * Source of the layout: sqlite.org/fileformat2.html, "B-tree Pages" and "The Write-Ahead Log".
 */
export interface Scrubber {
  /** Every page of the file. */
  all(): void;
  pages(numbers: Iterable<number>): void;
  /** Returns once the file is on the disk. */
  sync(): void;
}

const PAGES_A_READ = 256;

/**
 * @param fd the data file, open to read and to write. Not to be closed while SQLite has the file: POSIX drops a process's locks of a file
 *   with any of its descriptors.
 */
export function createScrubber(fd: number): Scrubber {
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
    all() {
      const count = Math.floor(fstatSync(fd).size / pageSize);
      for (let first = 1; first <= count; first += PAGES_A_READ)
        scrub(first, Math.min(PAGES_A_READ, count - first + 1));
    },
    pages(numbers) {
      for (const number of numbers) scrub(number, 1);
    },
    sync: () => fdatasyncSync(fd),
  };
}

const FILE_HEADER = 100;
/** Interior and leaf pages of indexes and tables; any other page begins with a page's number, and no file has that many. */
const INTERIOR = [2, 5];
const LEAF = [10, 13];

interface Gap {
  from: number;
  to: number;
}

/** The space between the last pointer to a cell and the first cell; undefined where there is none, or the page is of another kind. */
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

/** How far a WAL has been folded and scrubbed: so many frames of the one with this name. */
export interface Scrubbed {
  /** The salts of its header: others each time that SQLite begins it anew. */
  wal: string;
  frames: number;
}

/** The numbers of the pages that the WAL of a file has behind what `scrubbed` tells; perhaps also of some that an earlier WAL had. */
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
      // From here on it is what is left of an earlier WAL, which was folded to its end before this one began.
      if (!frame.subarray(8, 16).equals(salts)) break;
      pages.add(frame.readUInt32BE(0));
    }
    return { wal, pages };
  } finally {
    closeSync(fd);
  }
}
