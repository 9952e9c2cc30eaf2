"""Accessibility checks of all visible widgets: names, roles, actions, tab order."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QScrollArea, QTabBar, QWidget

NAME, DESCRIPTION = QAccessible.Text.Name, QAccessible.Text.Description
LABEL = QAccessible.RelationFlag.Label
MANY = (QAccessible.Role.Table, QAccessible.Role.Tree, QAccessible.Role.List)
"""Roles whose cells or items other tests check."""
WORKED = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.PageTab,
    QAccessible.Role.Link,
    QAccessible.Role.ComboBox,
    QAccessible.Role.SpinBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.Table,
    QAccessible.Role.Tree,
    QAccessible.Role.List,
    QAccessible.Role.PageTabList,
}
"""Roles of controls the user operates."""
NO_ROLES = {QAccessible.Role.NoRole, QAccessible.Role.Client, QAccessible.Role.Window, QAccessible.Role.Pane}
"""Roles Qt gives to a widget without a known role, and to a scroll area."""
PRESSED = {"Press", "Toggle", "ShowMenu"}


def interface(widget: QWidget) -> QAccessibleInterface:
    """Return a widget's accessible interface."""
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def tree(top: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Yield everything visible except the items of lists and tables."""
    yield top
    if top.role() in MANY:
        return
    for number in range(top.childCount()):
        child = top.child(number)
        if child is not None and not child.state().invisible:
            yield from tree(child)


def find_problems(top: QWidget) -> list[str]:
    """Return controls without a name, a role or an action, a line each."""
    found = []
    for each in tree(interface(top)):
        widget = each.object()
        focused = isinstance(widget, QWidget) and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if not focused and each.role() not in WORKED:
            continue
        if isinstance(widget, QWidget) and _is_inside(widget):
            continue
        who = f"{type(widget).__name__} {each.role().name} {each.text(NAME)!r} in {_where(widget)}"
        if not each.text(NAME):
            found.append(f"no name: {who}")
        if isinstance(widget, QComboBox) and not (each.text(DESCRIPTION) or each.relations(LABEL)):
            found.append(f"no label or description, and its name is the chosen text on Linux: {who}")
        if focused and each.role() in NO_ROLES and not isinstance(widget, QScrollArea):
            found.append(f"no role: {who}")
        if isinstance(widget, QAbstractButton) and widget.isEnabled() and not _actions(each) & PRESSED:
            found.append(f"no action: {who}")
    return found


def out_of_reach(top: QWidget) -> list[str]:
    """Return widgets that accept focus by Tab but are not reached by it.

    The walk begins at the current focus; each widget is described in one line.
    """
    wanted = [
        widget
        for widget in top.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not _is_inside(widget)
        and not _is_other_choice(widget)
    ]
    window, reached = top.window(), set[QWidget]()
    for _ in range(len(wanted) * 3 + 10):
        window.focusNextChild()
        focus = QApplication.focusWidget() or window.focusWidget()
        if focus in reached and reached >= set(wanted):
            break
        if focus is not None:
            reached.add(focus)
    return [f"{type(each).__name__} {each.accessibleName()!r} in {_where(each)}" for each in set(wanted) - reached]


def _actions(each: QAccessibleInterface) -> set[str]:
    actions = each.actionInterface()
    return set(actions.actionNames()) if actions is not None else set()


def _is_inside(widget: QWidget) -> bool:
    """Return whether a widget is part of another control, as a spin box's line is."""
    parent = widget.parentWidget()
    return widget.objectName() == "qt_spinbox_lineedit" or (
        isinstance(parent, QTabBar | QLineEdit) and not isinstance(widget, QLineEdit)
    )


def _is_other_choice(widget: QWidget) -> bool:
    """Return whether a button is an unchecked one of a group, which arrow keys reach."""
    return isinstance(widget, QAbstractButton) and widget.autoExclusive() and not widget.isChecked()


def _where(widget: object) -> str:
    names = []
    parent = widget.parentWidget() if isinstance(widget, QWidget) else None
    while parent is not None:
        names.append(type(parent).__name__)
        parent = parent.parentWidget()
    return " < ".join(names[:4])
