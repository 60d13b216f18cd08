import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useId, useState } from 'react';

interface RenameDialogProps {
  texts: { title: string; label: string; about: string; save: string; cancel: string; close: string };
  name: string;
  maxLength: number;
  /** Gets the trimmed name if it has changed. Rejects with an error whose message is shown below the field. */
  onSave(name: string): Promise<void>;
  onClose(): void;
}

/** Asks for another name of a contact or a document. */
export function RenameDialog({ texts, name: before, maxLength, onSave, onClose }: RenameDialogProps) {
  const fieldId = useId();
  const [name, setName] = useState(before);
  const { isBusy: isSaving, failure, run } = useAction();
  const message = failure?.message ?? '';
  const save = async () => {
    if (name.trim() === before) return onClose();
    if (await run(() => onSave(name.trim()))) onClose();
  };
  return (
    <Dialog
      title={texts.title}
      closeLabel={texts.close}
      isBusy={isSaving}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <button className="button" type="button" disabled={isSaving} onClick={onClose}>
            {texts.cancel}
          </button>
          <button className="button primary" type="submit" aria-disabled={isSaving}>
            {texts.save}
          </button>
        </>
      }
    >
      <div className="field">
        <label htmlFor={fieldId}>{texts.label}</label>
        <input
          id={fieldId}
          className="input"
          value={name}
          maxLength={maxLength}
          dir="auto"
          aria-invalid={message !== '' || undefined}
          aria-describedby={`${fieldId}-note`}
          onChange={({ target }) => setName(target.value)}
        />
        <p
          id={`${fieldId}-note`}
          className={`field-note ${message ? 'error' : ''}`}
          role={message ? 'alert' : undefined}
        >
          {message && <Icon name="alert" />}
          {message || texts.about}
        </p>
      </div>
    </Dialog>
  );
}
