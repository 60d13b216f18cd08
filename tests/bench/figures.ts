import type { Machine } from './machine.ts';

/** One measured number. */
export interface Figure {
  name: string;
  value: number;
  /** 'ms', 'KB', '/s', '%', or '' for a ratio or a count. */
  unit: string;
  /** The value that the project wants not to exceed. */
  aim?: number;
  /** The value that it wants to reach. */
  atLeast?: number;
}

/** What one part of the bench found. */
export interface PartResult {
  part: string;
  /** How it was measured, in one sentence. */
  about: string;
  figures: Figure[];
  /** Whatever else helps to read the figures, a line each. */
  details: string[];
}

export interface BenchResult {
  machine: Machine;
  parts: PartResult[];
}

/** The whole result as a table for people. */
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
