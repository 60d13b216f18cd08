import { ActionDialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { recordTexts } from './texts.ts';

interface RenameDialogProps {
  texts: { title: string; label: string; about: string };
  name: string;
  maxLength: number;
  /** Called with the trimmed name if it has changed. May reject with an error, whose message is shown below the field. */
  onSave(name: string): Promise<void>;
  onClose(): void;
}

/** Asks for another name of a contact or a document. */
export function RenameDialog({ texts, name: before, maxLength, onSave, onClose }: RenameDialogProps) {
  const t = useTexts(recordTexts);
  const [name, setName] = useState(before);
  const { isBusy: isSaving, failure, run } = useAction();
  const save = async () => {
    if (name.trim() === before) return onClose();
    if (await run(() => onSave(name.trim()))) onClose();
  };
  return (
    <ActionDialog title={texts.title} isBusy={isSaving} onClose={onClose} onSubmit={save} action={t('save')}>
      <TextField
        label={texts.label}
        value={name}
        maxLength={maxLength}
        note={texts.about}
        fault={failure?.message}
        onText={setName}
      />
    </ActionDialog>
  );
}
