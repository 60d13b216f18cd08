import type { CompositionChoice, PreviewInfo, PreviewRequest } from '../../contract/compositions.ts';
import type { CommandContext } from './command-context.ts';
import { clock, shortId } from './format.ts';

export interface PreviewOptions {
  name?: string;
  hours?: number;
}

/** `compose preview mfe-chat@1.5.0 [--name branch]`: a link to what is not live, for those who open it. */
export async function preview(
  { client, author, say, now, answer }: CommandContext,
  choice: CompositionChoice,
  { name, hours }: PreviewOptions,
): Promise<void> {
  const made = await client.post<PreviewInfo>('/ops/previews', {
    ...choice,
    author,
    ...(name === undefined ? {} : { name }),
    ...(hours === undefined ? {} : { hours }),
  } satisfies PreviewRequest);
  answer(made, () => {
    const values = {
      url: made.url,
      id: shortId(made.composition.id),
      until: clock(made.expiresAt, now),
      leave: `${client.server}/chatbot/override/leave`,
    };
    return [
      say('previewLink', values),
      ...(made.name === null ? [] : [say('previewStays', { name: made.name })]),
    ].join('\n');
  });
}
