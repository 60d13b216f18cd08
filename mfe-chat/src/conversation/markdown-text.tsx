import type { Translate } from 'host/contract';
import { createLatePart, useLatePart } from 'host/ui/late-part.tsx';
import type { Markdown } from 'host/ui/markdown/markdown.tsx';
import { type ComponentProps, useCallback } from 'react';

export const markdown = createLatePart(
  () => import(/* webpackChunkName: "markdown" */ 'host/ui/markdown/markdown.tsx'),
);

interface MarkdownTextProps extends Omit<ComponentProps<typeof Markdown>, 'pictureLabel' | 'tableLabel'> {
  t: Translate<{ imageLink: string; table: string }>;
}

/** Markdown, or plain text until the renderer is loaded. */
export function MarkdownText({ t, ...props }: MarkdownTextProps) {
  const { part: renderer } = useLatePart(markdown);
  const pictureLabel = useCallback((label: string) => t('imageLink', { text: label }), [t]);
  if (!renderer)
    return (
      <p className="type-read verbatim" dir="auto">
        {props.text}
      </p>
    );
  return <renderer.Markdown {...props} pictureLabel={pictureLabel} tableLabel={t('table')} />;
}
