interface SkeletonProps {
  /** Announced to screen readers. */
  label: string;
  /** Widths of the lines. */
  lines: readonly ('third' | 'half' | 'most' | 'full')[];
  className?: string | undefined;
}

/** Placeholder for content that has been loading for more than 300 ms. */
export function Skeleton({ label, lines, className = '' }: SkeletonProps) {
  return (
    <div className={`stack gap-s3 late no-print ${className}`} role="status" aria-label={label}>
      {lines.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <span key={index} className={`skeleton-line ${width}`} />
      ))}
    </div>
  );
}
