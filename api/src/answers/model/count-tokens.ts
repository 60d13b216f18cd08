import { estimateTokenCount } from 'tokenx';

/** Estimates tokens, rather too many than too few: each model counts in its own way. */
export function countTokens(text: string): number {
  return Math.ceil(estimateTokenCount(text) * 1.15);
}

/** What a message costs besides its words. */
export const tokensPerMessage = 8;
/** A picture, whatever its size: models count between some hundred and some thousand. */
export const tokensPerImage = 1200;
