/** The product's mark; its name is beside it. */
export function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6 shrink-0">
      <rect width={32} height={32} rx={8} className="fill-accent" />
      <path
        d="M9 11l-4 5 4 5M23 11l4 5-4 5M18.5 8l-5 16"
        fill="none"
        strokeWidth={2.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
    </svg>
  );
}
