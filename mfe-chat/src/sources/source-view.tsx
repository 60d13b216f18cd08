import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useMedia } from 'host/ui/use-media.ts';
import { useSelected, useStream } from 'host/ui/use-stream.ts';
import { useEffect } from 'react';
import { useChat } from '../state/chat-context.ts';
import { ChatLabels } from '../state/late-dialog.tsx';
import styles from './source-view.module.css';

export const citedSource = createLatePart(
  () => import(/* webpackChunkName: "cited-source" */ './cited-source.tsx'),
  sourceTexts,
);

/** The open citation: beside the conversation, or above it where the window is narrow. */
export function SourceView() {
  const { chat } = useChat();
  const open = useStream(chat.source$);
  const isNarrow = useMedia('(max-width: 960px)');
  const conversationId = useSelected(chat.consultation.state$, (state) => state.conversationId);
  const close = () => chat.source$.next(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation was opened
  useEffect(() => () => chat.source$.next(null), [chat, conversationId]);
  if (!open) return null;
  const source = (
    <ChatLabels>
      <Late part={citedSource}>
        {({ CitedSource }) => (
          <CitedSource
            open={open}
            variant={isNarrow ? 'dialog' : 'panel'}
            onStep={(n) => chat.source$.next({ ...open, n })}
            onClose={close}
          />
        )}
      </Late>
    </ChatLabels>
  );
  return isNarrow ? (
    source
  ) : (
    <div className={`no-print ${styles.beside}`} data-source>
      {source}
    </div>
  );
}
