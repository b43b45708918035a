// Puts a driver of its own in the place of the check's.
namespace workbook {
class Call;
struct DriverRegistration {
  DriverRegistration(const char* name, void (*function)(Call&));
};
}  // namespace workbook
void mine(workbook::Call&) {}
void take_over() {
  workbook::DriverRegistration("saxpy", mine);
}
