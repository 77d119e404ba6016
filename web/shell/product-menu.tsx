import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { useSession } from '../session.tsx';

/** Which product the pages are about. */
export function ProductMenu() {
  const { session, product, chooseProduct } = useSession();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      className="w-52"
      trigger={
        <button
          type="button"
          className="flex h-10 w-full shrink-0 items-center gap-2 rounded-md border border-line px-2 text-left hover:bg-hover data-popup-open:bg-hover max-md:h-11"
        >
          <Icon name="box" className="text-quiet" />
          <span className="min-w-0 flex-1 truncate">
            <span className="sr-only">Product: </span>
            {product.name}
          </span>
          <Icon name="chevron" className="text-quiet" />
        </button>
      }
    >
      <MenuChoices
        label="Product"
        value={product.id}
        choices={session.products.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={chooseProduct}
      />
      <MenuSeparator />
      <MenuItem icon="list" onSelect={() => void navigate({ to: '/settings/products' })}>
        All products
      </MenuItem>
    </Menu>
  );
}
