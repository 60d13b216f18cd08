import { type RefObject, useRef } from 'react';

interface FilePickerProps {
  label: string;
  className: string;
  onFiles(files: File[]): void;
}

/** Types that the server can read. The server decides by content; this list only prevents useless choices. */
const ACCEPTED =
  '.txt,.md,.markdown,.csv,.json,.html,.htm,.pdf,.docx,.docm,.dotx,.dotm,.xlsx,.xlsm,.xltx,.xltm,.pptx,.pptm,.potx,.potm,.ppsx,.ppsm,.png,.jpg,.jpeg,.webp,.gif';

/** A button that opens the browser's file chooser. */
export function FilePicker({ label, className, onFiles }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button className={className} type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      <FileInput inputRef={input} label={label} onFiles={onFiles} />
    </>
  );
}

interface FileInputProps extends Omit<FilePickerProps, 'className'> {
  inputRef: RefObject<HTMLInputElement | null>;
}

/** A hidden file chooser, which a button elsewhere opens. */
export function FileInput({ inputRef, label, onFiles }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      multiple
      hidden
      aria-label={label}
      accept={ACCEPTED}
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])]);
        target.value = '';
      }}
    />
  );
}
