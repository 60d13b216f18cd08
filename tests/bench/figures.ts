import type { Machine } from './machine.ts';

/** One measurement. */
export interface Figure {
  name: string;
  value: number;
  /** 'ms', 'KB', '/s', '%', or '' for a ratio or a count. */
  unit: string;
  /** Target: maximum value. */
  aim?: number;
  /** Target: minimum value. */
  atLeast?: number;
}

/** Result of one part of the benchmark. */
export interface PartResult {
  part: string;
  /** How it was measured, in one sentence. */
  about: string;
  figures: Figure[];
  /** Additional lines that help to interpret the figures. */
  details: string[];
}

interface BenchResult {
  machine: Machine;
  parts: PartResult[];
}

/** Formats the whole result as a table. */
export function toTable({ machine, parts }: BenchResult): string {
  const lines = Object.entries(machine).map(([name, value]) => `${name.padEnd(10)} ${value}`);
  for (const { part, about, figures, details } of parts) {
    const width = Math.max(...figures.map(({ name }) => name.length));
    lines.push('', `── ${part}: ${about}`);
    for (const figure of figures) {
      const shown = `${toText(figure.value)} ${figure.unit}`.trimEnd().padEnd(14);
      lines.push(`  ${figure.name.padEnd(width)}  ${shown}${judgementOf(figure)}`.trimEnd());
    }
    lines.push(...details.map((detail) => `    ${detail}`));
  }
  return lines.join('\n');
}

function judgementOf({ value, aim, atLeast }: Figure): string {
  if (aim !== undefined) return `aim ≤ ${aim}: ${value <= aim ? 'met' : 'MISSED'}`;
  if (atLeast !== undefined) return `aim ≥ ${atLeast}: ${value >= atLeast ? 'met' : 'MISSED'}`;
  return '';
}

function toText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value >= 1000 ? 0 : value >= 10 ? 1 : 2);
}
