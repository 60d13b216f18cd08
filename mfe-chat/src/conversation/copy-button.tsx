import { copyText } from 'host/ui/copy-text.ts';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useChat } from '../state/chat-context.ts';

/** Copies the text of a message. A toast with the text `copied` confirms it. */
export function CopyButton({ text, label, copied }: { text: string; label: string; copied: string }) {
  const { services, t } = useChat();
  const copy = () => copyText(text, services.toasts, { copied, failed: t('copyFailed') });
  return <IconButton icon="copy" label={label} hasTitle onClick={copy} />;
}
