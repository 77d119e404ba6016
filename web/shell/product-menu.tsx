import { useNavigate } from '@tanstack/react-router';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { useSession } from '../session.tsx';
import { ProductButton } from './menu-buttons.tsx';

/** Menu that switches the product of the pages. Open from the start: it is loaded when its button is clicked. */
export function ProductMenu() {
  const { session, product, chooseProduct } = useSession();
  const navigate = useNavigate();
  return (
    <Menu align="start" className="w-52" trigger={<ProductButton />} isOpenAtFirst>
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
