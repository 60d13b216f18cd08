import { posix } from 'node:path';
import { readXml } from './read-xml.ts';

interface Relation {
  /** The last part of its relationship type: `slide`, `worksheet`, `notesSlide`. */
  type: string;
  /** Name of the part in the zip. */
  part: string;
}

/** The parts that a part of an Office document refers to, by relationship id. */
export function relationsOf(parts: ReadonlyMap<string, Buffer>, part: string): Map<string, Relation> {
  const { dir, base } = posix.parse(part);
  const relations = new Map<string, Relation>();
  readXml(parts.get(`${dir}/_rels/${base}.rels`), {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributes();
      relations.set(Id, { type: posix.basename(Type), part: posix.resolve('/', dir, Target).slice(1) });
    },
  });
  return relations;
}

/** The title in an Office document's properties; '' if none. */
export function titleIn(parts: ReadonlyMap<string, Buffer>): string {
  let title = '';
  let isTitle = false;
  readXml(parts.get('docProps/core.xml'), {
    open: (name) => {
      isTitle = name === 'title';
    },
    close: () => {
      isTitle = false;
    },
    text: (text) => {
      if (isTitle) title += text;
    },
  });
  return title.trim();
}
