import { useEffect, useState } from 'react';

/** Object URL of a blob, revoked on unmount; '' without a blob. */
export function useObjectUrl(blob: Blob | null): string {
  const [url, setUrl] = useState('');
  useEffect(() => {
    if (!blob) return;
    const own = URL.createObjectURL(blob);
    setUrl(own);
    return () => {
      setUrl('');
      URL.revokeObjectURL(own);
    };
  }, [blob]);
  return url;
}
