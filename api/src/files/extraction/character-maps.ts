import iconv from 'iconv-lite';

/** Encodings of PDF's predefined font maps, see ISO 32000-1, table 118. */
const older: Record<string, string> = {
  'GB-EUC': 'gbk',
  'GBK-EUC': 'gbk',
  'GBKp-EUC': 'gbk',
  'ETen-B5': 'big5',
  'ETenms-B5': 'big5',
  '90ms-RKSJ': 'shift_jis',
  '90msp-RKSJ': 'shift_jis',
};

/**
 * Provides PDF.js with character maps for fonts that are not embedded, as older Chinese software used them.
 * PDF.js's own maps go from code to glyph number to character; these map the code directly to the character
 * and then to itself, which needs no data files. Fonts for which the file only has glyph numbers get none,
 * since these would be mistaken for characters.
 */
export class CharacterMaps {
  #givesCharacters = false;

  /** @throws Error for an unknown map. */
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const ranges = this.#rangesOf(filename);
    if (!ranges) throw new Error(`expected a character map, got ${filename}`);
    const text = `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /${filename} def\n${ranges}\nendcmap\n`;
    return new TextEncoder().encode(text);
  }

  #rangesOf(name: string): string | null {
    if (/^Adobe-(?:GB1|CNS1|Japan1|Korea1)-UCS2$/.test(name)) return this.#givesCharacters ? itself() : null;
    const encoding = older[name.replace(/-[HV]$/, '')];
    const isUnicode = /^Uni(?:GB|CNS|JIS|KS)-(?:UCS2|UTF16)-[HV]$/.test(name);
    if (!isUnicode && !encoding) return null;
    this.#givesCharacters = true;
    return isUnicode ? `${twoBytes}\n1 begincidrange\n<0000> <ffff> 0\nendcidrange` : codesOf(encoding!);
  }
}

const twoBytes = '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange';

function itself(): string {
  const rows = Array.from({ length: 256 }, (_, high) => {
    const byte = hex(high, 2);
    return `<${byte}00> <${byte}ff> <${byte}00>`;
  });
  return `${twoBytes}\n256 beginbfrange\n${rows.join('\n')}\nendbfrange`;
}

/** Every code of one or two bytes with its character. */
function codesOf(encoding: string): string {
  const rows: string[] = [];
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const character = iconv.decode(Buffer.from([high, low]), encoding);
      if (character.length !== 1 || character === '\ufffd') continue;
      rows.push(`<${hex(high, 2)}${hex(low, 2)}> ${character.charCodeAt(0)}`);
    }
  }
  const spaces = '2 begincodespacerange\n<00> <80>\n<8140> <fefe>\nendcodespacerange';
  const ascii = '1 begincidrange\n<20> <7e> 32\nendcidrange';
  return `${spaces}\n${ascii}\n${rows.length} begincidchar\n${rows.join('\n')}\nendcidchar`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
